#include "profile/timeline/longest_records.h"

#include <algorithm>

namespace tally {

bool LongestRecords::IsLonger(const Kept& a, const Kept& b) {
  const std::uint64_t first = a.record.end - a.record.begin, second = b.record.end - b.record.begin;
  return first != second ? first > second : a.number < b.number;
}

void LongestRecords::Add(const TimelineRecord& record) {
  const Kept one{added_++, record};
  if (kept_.size() == most_) {
    if (most_ == 0 || !IsLonger(one, kept_.front())) return;
    std::pop_heap(kept_.begin(), kept_.end(), IsLonger);
    kept_.pop_back();
  }
  kept_.push_back(one);
  std::push_heap(kept_.begin(), kept_.end(), IsLonger);
}

std::vector<TimelineRecord> LongestRecords::Take() {
  std::sort(kept_.begin(), kept_.end(), [](const Kept& a, const Kept& b) { return a.number < b.number; });
  std::vector<TimelineRecord> out;
  out.reserve(kept_.size());
  for (const Kept& one : kept_) out.push_back(one.record);
  kept_.clear();
  return out;
}

}  // namespace tally
