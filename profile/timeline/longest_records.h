// Of very many records those that took longest, in order of time, and how many others there were. In memory are as many as are wanted.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "profile/timeline/record.h"

namespace tally {

class LongestRecords {
 public:
  explicit LongestRecords(std::size_t most) : most_(most) {}

  // Of two that took as long the earlier one is kept.
  void Add(const TimelineRecord& record);
  [[nodiscard]] std::uint64_t left_out() const { return added_ - kept_.size(); }
  // In the order in which they were added; nothing is left here.
  std::vector<TimelineRecord> Take();

 private:
  struct Kept {
    std::uint64_t number;
    TimelineRecord record;
  };
  static bool IsLonger(const Kept& a, const Kept& b);

  std::size_t most_;
  std::uint64_t added_ = 0;
  std::vector<Kept> kept_;  // a heap, the shortest in front
};

}  // namespace tally
