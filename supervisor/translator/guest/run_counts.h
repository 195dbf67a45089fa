// What all tasks of a run executed together: those that are gone, and those that count at this moment.
#pragma once

#include <cstdint>
#include <vector>

#include "supervisor/translator/cache/control_area.h"

namespace tally {

class RunCounts {
 public:
  // A task begins to count in `page`, which is zero.
  void Enter(CounterPage page) { counting_.push_back(page); }
  // It is gone; what it counted stays. The page is not read again.
  void Leave(CounterPage page);

  [[nodiscard]] std::uint64_t Instructions() const;
  // Without what the task of `page` has executed, which may go on meanwhile.
  [[nodiscard]] std::uint64_t InstructionsBeside(const CounterPage& page) const;
  [[nodiscard]] std::uint64_t InstructionsOfThoseGone() const { return instructions_; }
  [[nodiscard]] std::uint64_t SystemCalls() const;

 private:
  std::vector<CounterPage> counting_;
  std::uint64_t instructions_ = 0;
  std::uint64_t calls_ = 0;
};

}  // namespace tally
