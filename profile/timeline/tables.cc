#include "profile/timeline/tables.h"

#include <fmt/format.h>

#include <cstring>
#include <limits>

#include "base/error.h"

namespace tally {
namespace {

// One description of the shape serves both directions: Put and Get have the same members.
class Put {
 public:
  void Number(const std::uint64_t& number) { bytes.append(reinterpret_cast<const char*>(&number), sizeof(number)); }
  template <typename T>
  void Small(const T& number, std::uint64_t) {
    Number(static_cast<std::uint64_t>(number));
  }
  void Text(const std::string& text) {
    Number(text.size());
    bytes += text;
  }
  template <typename T, typename Row>
  void List(const std::vector<T>& list, Row row) {
    Number(list.size());
    for (const T& item : list) row(item);
  }
  std::string bytes;
};

class Get {
 public:
  Get(std::string_view bytes, const std::string& path) : bytes_(bytes), path_(path) {}

  void Number(std::uint64_t& number) {
    if (bytes_.size() < sizeof(number)) Fail("end too early");
    std::memcpy(&number, bytes_.data(), sizeof(number));
    bytes_.remove_prefix(sizeof(number));
  }
  // At most `largest`.
  template <typename T>
  void Small(T& number, std::uint64_t largest) {
    std::uint64_t read = 0;
    Number(read);
    if (read > largest) Fail(fmt::format("have {} where at most {} can be", read, largest));
    number = static_cast<T>(read);
  }
  void Text(std::string& text) {
    std::uint64_t size = 0;
    Number(size);
    if (size > bytes_.size()) Fail("end too early");
    text.assign(bytes_.substr(0, size));
    bytes_.remove_prefix(size);
  }
  template <typename T, typename Row>
  void List(std::vector<T>& list, Row row) {
    std::uint64_t size = 0;
    Number(size);
    if (size > bytes_.size() / sizeof(std::uint64_t)) Fail("end too early");  // a row is one number at least
    for (std::uint64_t i = 0; i < size; ++i) row(list.emplace_back());
  }
  void End() const {
    if (!bytes_.empty()) Fail("go on behind their end");
  }

 private:
  [[noreturn]] void Fail(const std::string& what) const {
    throw UserError(fmt::format("{}: this timeline file is damaged: its tables {}", path_, what));
  }
  std::string_view bytes_;
  const std::string& path_;
};

constexpr std::uint64_t k32 = std::numeric_limits<std::uint32_t>::max();

template <typename Way, typename U>
void Shape(Way& way, U& usage) requires requires { usage.bytes_read; } {
  way.Number(usage.calls);
  way.Number(usage.failed);
  way.Number(usage.opens);
  way.Number(usage.bytes_read);
  way.Number(usage.bytes_written);
  way.Number(usage.nanoseconds);
}

// Of TimelineTables, const or not.
template <typename Way, typename T>
void ShapeOfAll(Way& way, T& tables) {
  way.Text(tables.program);
  way.Number(tables.duration);
  way.Number(tables.calls);
  way.Number(tables.events);
  for (auto& part : tables.time) way.Number(part);
  for (auto& usage : tables.usage) Shape(way, usage);
  way.List(tables.kinds, [&](auto& kind) {
    way.Text(kind.name);
    way.Small(kind.resource, kResources - 1);
    Shape(way, kind.usage);
  });
  way.List(tables.threads, [&](auto& thread) {
    way.Small(thread.tid, std::numeric_limits<std::int32_t>::max());
    way.Small(thread.process, k32);
    way.Small(thread.parent, k32);
    way.Text(thread.name);
    way.Number(thread.begin);
    way.Number(thread.end);
    way.Number(thread.calls);
    for (auto& part : thread.time) way.Number(part);
    for (auto& usage : thread.usage) Shape(way, usage);
  });
}

// Parts of a time that are together more than it are drawn beyond all bounds.
bool SumsUp(const TimeConsumption& parts, std::uint64_t whole) {
  for (const std::uint64_t part : parts) {
    if (part > whole) return false;
    whole -= part;
  }
  return true;
}

}  // namespace

std::string EncodeTables(const TimelineTables& tables) {
  Put put;
  ShapeOfAll(put, tables);
  return std::move(put.bytes);
}

TimelineTables DecodeTables(std::string_view bytes, const std::string& path) {
  Get get(bytes, path);
  TimelineTables tables;
  ShapeOfAll(get, tables);
  get.End();
  if (!SumsUp(tables.time, tables.duration)) {
    throw UserError(path + ": this timeline file is damaged: its time is more than its duration");
  }
  for (const TimelineThread& thread : tables.threads) {
    const bool parent_is_there = thread.parent == TimelineThread::kNone || thread.parent < tables.threads.size();
    if (thread.process < tables.threads.size() && parent_is_there && thread.begin <= thread.end && SumsUp(thread.time, thread.end - thread.begin)) continue;
    throw UserError(fmt::format("{}: this timeline file is damaged: thread {} is not possible", path, thread.tid));
  }
  return tables;
}

}  // namespace tally
