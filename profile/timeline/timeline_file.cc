#include "profile/timeline/timeline_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/sys.h"
#include "profile/timeline/tables.h"

namespace tally {
namespace {

constexpr std::size_t kReadAhead = 256;

Fd OpenForReading(const std::string& path) {
  try {
    return sys::Open(path, O_RDONLY | O_NONBLOCK);
  } catch (const SystemError& error) {
    throw UserError(fmt::format("{}: {}", path, ErrnoText(error.error())));
  }
}

// How many bytes there are, up to `size`.
std::size_t ReadAt(int fd, const std::string& path, std::uint64_t offset, void* to, std::size_t size) {
  std::size_t done = 0;
  while (done < size) {
    const ssize_t got = ::pread(fd, static_cast<char*>(to) + done, size - done, static_cast<off_t>(offset + done));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw SystemError("read " + path, errno);
    if (got == 0) break;
    done += static_cast<std::size_t>(got);
  }
  return done;
}

// Its parts are together as long as what is behind it. Each may be any number.
bool FillsFile(const TimelineHeader& header, std::uint64_t left) {
  for (const auto& [count, size] : {std::pair<std::uint64_t, std::uint64_t>{header.records, sizeof(TimelineRecord)}, {header.objects, sizeof(ObjectRow)},
                                    {header.names_size, 1}, {header.tables_size, 1}}) {
    if (count > left / size) return false;
    left -= count * size;
  }
  return left == 0 && header.objects < kNoObject;
}

}  // namespace

TimelineFile::TimelineFile(const std::string& path) : TimelineFile(OpenForReading(path), path) {}

TimelineFile::TimelineFile(Fd file, std::string path) : path_(std::move(path)), file_(std::move(file)) {
  for (auto& [kept, object] : read_) kept = kNoObject;
  Open();
}

void TimelineFile::Open() {
  const struct stat status = sys::Stat(file_.get(), path_);
  if (!S_ISREG(status.st_mode)) throw UserError(path_ + ": not a timeline file");
  const auto size = static_cast<std::uint64_t>(status.st_size);
  TimelineHeader header;
  const std::size_t got = ReadAt(file_.get(), path_, 0, &header, sizeof(header));
  if (got < sizeof(header) || header.magic != TimelineHeader::kMagic) throw UserError(path_ + ": not a timeline file");
  if (header.version != TimelineHeader::kVersion) {
    throw UserError(fmt::format("{}: a timeline file of version {}; this Tally reads version {}", path_, header.version,
                                TimelineHeader::kVersion));
  }
  if (header.record_size != sizeof(TimelineRecord) || !FillsFile(header, size - sizeof(header))) {
    throw UserError(path_ + ": this timeline file is damaged: it is not as long as its header says");
  }
  records_ = header.records;
  objects_ = header.objects;
  objects_at_ = sizeof(header) + records_ * sizeof(TimelineRecord);
  names_at_ = objects_at_ + objects_ * sizeof(ObjectRow);
  names_size_ = header.names_size;
  std::string tables(header.tables_size, '\0');
  tables.resize(ReadAt(file_.get(), path_, size - header.tables_size, tables.data(), tables.size()));
  tables_ = DecodeTables(tables, path_);
}

void TimelineFile::Check(std::uint64_t number, const TimelineRecord& record) const {
  const bool object_is_there = record.object == kNoObject || record.object < objects_;
  if (record.event < tables_.kinds.size() && record.thread < tables_.threads.size() && object_is_there &&
      record.begin <= record.end && record.begin <= record.at && record.back <= number) {
    return;
  }
  throw UserError(fmt::format("{}: this timeline file is damaged: record {} is not possible", path_, number));
}

std::size_t TimelineFile::Read(std::uint64_t first, TimelineRecord* records, std::size_t count) const {
  count = static_cast<std::size_t>(std::min<std::uint64_t>(count, records_ - first));
  const std::uint64_t offset = sizeof(TimelineHeader) + first * sizeof(TimelineRecord);
  const std::size_t got = ReadAt(file_.get(), path_, offset, records, count * sizeof(TimelineRecord));
  if (got != count * sizeof(TimelineRecord)) throw UserError(path_ + ": this timeline file became shorter");
  for (std::size_t i = 0; i < count; ++i) Check(first + i, records[i]);
  looked_at_ += count;
  return count;
}

void TimelineFile::ReadObjects(std::uint64_t first, ObjectRow* rows, std::size_t count) const {
  const std::size_t size = count * sizeof(ObjectRow);
  if (ReadAt(file_.get(), path_, objects_at_ + first * sizeof(ObjectRow), rows, size) != size) throw UserError(path_ + ": this timeline file became shorter");
}

TimelineObject TimelineFile::NamedObject(std::uint64_t number, const ObjectRow& row) const {
  const bool name_is_there = row.name_size <= kLongestObjectName && row.name_at <= names_size_ && row.name_size <= names_size_ - row.name_at;
  if (row.kind >= kObjectKinds || !name_is_there) throw UserError(fmt::format("{}: this timeline file is damaged: object {} is not possible", path_, number));
  TimelineObject object{static_cast<ObjectKind>(row.kind), std::string(row.name_size, '\0'), row.usage};
  if (ReadAt(file_.get(), path_, names_at_ + row.name_at, object.name.data(), object.name.size()) != object.name.size()) {
    throw UserError(path_ + ": this timeline file became shorter");
  }
  return object;
}

const TimelineObject& TimelineFile::Object(ObjectNumber number) const {
  auto& [kept, object] = read_[number % read_.size()];
  if (kept != number) {
    ObjectRow row;
    ReadObjects(number, &row, 1);
    object = NamedObject(number, row);
    kept = number;
  }
  return object;
}

void TimelineFile::ForEachObject(const std::function<void(ObjectNumber, const TimelineObject&)>& object) const {
  std::vector<ObjectRow> rows(kReadAhead);
  for (std::uint64_t first = 0; first < objects_; first += rows.size()) {
    rows.resize(static_cast<std::size_t>(std::min<std::uint64_t>(kReadAhead, objects_ - first)));
    ReadObjects(first, rows.data(), rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) object(static_cast<ObjectNumber>(first + i), NamedObject(first + i, rows[i]));
  }
}

// The record with which the block begins in which `time` is. Everything open then is in it, or said again at its head.
std::uint64_t TimelineFile::BlockAt(std::uint64_t time) const {
  TimelineRecord record;
  std::uint64_t low = 0, high = records_;  // the first whose `at` is not before `time`
  while (low < high) {
    const std::uint64_t middle = low + (high - low) / 2;
    Read(middle, &record, 1);
    if (record.at < time) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  // Of the one before: what is still open there may end before the next one begins.
  const std::uint64_t found = low == 0 ? 0 : low - 1;
  Read(found, &record, 1);
  return found - record.back;
}

void TimelineFile::ForEach(std::uint64_t from, std::uint64_t to,
                           const std::function<void(const TimelineRecord&)>& event) const {
  if (records_ == 0 || from >= to) return;
  const std::uint64_t block = BlockAt(from);
  std::vector<TimelineRecord> records(kReadAhead);
  for (std::uint64_t next = block; next < records_;) {
    const std::size_t count = Read(next, records.data(), records.size());
    for (std::size_t i = 0; i < count; ++i) {
      const TimelineRecord& record = records[i];
      if (record.at >= to && record.begin >= to) return;
      // Said again: it was said already, but in the block with which we began.
      if (record.Has(TimelineRecord::kContinued) && next + i - record.back != block) continue;
      if (record.begin < to && (record.end > from || record.begin >= from)) event(record);
    }
    next += count;
  }
}

}  // namespace tally
