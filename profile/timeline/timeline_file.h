// A timeline file, for looking into it. Its tables are in memory; its records and objects are read where they are wanted, and an
// interval is found by binary search, so that the length of the file hardly matters. The file is anybody's: UserError,
// with its path, where it is not what it should be.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <utility>

#include "base/fd.h"
#include "profile/timeline/record.h"

namespace tally {

class TimelineFile {
 public:
  static constexpr std::uint64_t kEver = std::numeric_limits<std::uint64_t>::max();

  explicit TimelineFile(const std::string& path);
  // The same of an open file; `path` is for messages.
  TimelineFile(Fd file, std::string path);

  [[nodiscard]] const TimelineTables& tables() const { return tables_; }
  // Each event that goes on at some time from `from` up to, and not with, `to`; once, in order of time of call, but those
  // that began before `from` come first.
  void ForEach(std::uint64_t from, std::uint64_t to, const std::function<void(const TimelineRecord&)>& event) const;
  // One that a record names.
  [[nodiscard]] const TimelineObject& Object(ObjectNumber number) const;  // until the next one is asked for
  // All of them, in the order in which they were first used.
  void ForEachObject(const std::function<void(ObjectNumber, const TimelineObject&)>& object) const;
  [[nodiscard]] std::uint64_t objects() const { return objects_; }
  [[nodiscard]] std::uint64_t records() const { return records_; }
  // How many records were looked at so far.
  [[nodiscard]] std::uint64_t looked_at() const { return looked_at_; }

 private:
  void Open();
  std::size_t Read(std::uint64_t first, TimelineRecord* records, std::size_t count) const;
  void ReadObjects(std::uint64_t first, ObjectRow* rows, std::size_t count) const;
  [[nodiscard]] TimelineObject NamedObject(std::uint64_t number, const ObjectRow& row) const;
  void Check(std::uint64_t number, const TimelineRecord& record) const;
  [[nodiscard]] std::uint64_t BlockAt(std::uint64_t time) const;

  std::string path_;
  Fd file_;
  std::uint64_t records_ = 0, objects_ = 0;
  std::uint64_t objects_at_ = 0, names_at_ = 0, names_size_ = 0;  // where they lie, in bytes
  TimelineTables tables_;
  mutable std::uint64_t looked_at_ = 0;
  // Events come with the same few objects over and over: each is kept where its number says.
  mutable std::array<std::pair<ObjectNumber, TimelineObject>, 64> read_;
};

}  // namespace tally
