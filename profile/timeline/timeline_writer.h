// Writes a timeline file from records that come in order of `begin`.
//
// Records are in blocks of some thousand. Where a block begins, every record that is still open then (a thread that waits
// for another all the while) is said again, so that whoever looks for an interval needs to read from the beginning of one
// block, and not from the beginning of the file. A block is at least four times as long as what is said again in it, so
// the file grows by a quarter at most.
#pragma once

#include <string>
#include <vector>

#include "base/fd.h"
#include "profile/timeline/record.h"

namespace tally {

class TimelineWriter {
 public:
  static constexpr std::size_t kBlock = 1024;

  explicit TimelineWriter(const std::string& path);
  void Add(TimelineRecord record);
  // The objects, the tables, and the header that makes it a timeline file.
  void Finish(const TimelineTables& tables, const TimelineObjects& objects);
  [[nodiscard]] std::uint64_t events() const { return events_; }

 private:
  void BeginBlock(std::uint64_t now);
  void Write(const TimelineRecord& record);
  void Flush();

  std::string path_;
  Fd file_;
  std::vector<TimelineRecord> buffer_, open_;
  std::uint64_t records_ = 0, events_ = 0;
  std::uint64_t block_begin_ = 0;
  std::size_t left_in_block_ = 0;
};

}  // namespace tally
