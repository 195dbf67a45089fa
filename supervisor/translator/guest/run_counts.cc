#include "supervisor/translator/guest/run_counts.h"

#include <algorithm>

namespace tally {

void RunCounts::Leave(CounterPage page) {
  const auto found = std::find_if(counting_.begin(), counting_.end(),
                                  [&](const CounterPage& other) { return other.IsSame(page); });
  if (found == counting_.end()) return;
  instructions_ += page.Instructions();
  calls_ += page.SystemCalls();
  counting_.erase(found);
}

std::uint64_t RunCounts::Instructions() const {
  std::uint64_t sum = instructions_;
  for (const CounterPage& page : counting_) sum += page.Instructions();
  return sum;
}

std::uint64_t RunCounts::InstructionsBeside(const CounterPage& page) const {
  std::uint64_t sum = instructions_;
  for (const CounterPage& other : counting_) {
    if (!other.IsSame(page)) sum += other.Instructions();
  }
  return sum;
}

std::uint64_t RunCounts::SystemCalls() const {
  std::uint64_t sum = calls_;
  for (const CounterPage& page : counting_) sum += page.SystemCalls();
  return sum;
}

}  // namespace tally
