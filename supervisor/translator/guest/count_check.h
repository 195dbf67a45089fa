// Is the count plausible? The counters lie in memory that the program could write, if it knew where (control_area.h). So
// each look compares their sum with the last one, which it is not below, and with the CPU time of the program: no
// processor executes more than kMostPerNanosecond. What takes off more than was executed makes a number near 2^64.
//
// There is no bound from below: one `rep stosb` may take a second.
#pragma once

#include <cstdint>
#include <string>

#include "base/units.h"

namespace tally {

class CountCheck {
 public:
  // Eight instructions per cycle at 6 GHz.
  static constexpr std::uint64_t kMostPerNanosecond = 48;
  // A fragment may have added what it is about to execute; a signal takes it back (fragments.h), from each of many tasks.
  static constexpr std::uint64_t kMostTakenBack = 64 << 10;
  // What clocks may lag behind.
  static constexpr Nanoseconds kLag = std::chrono::milliseconds(100);

  void See(std::uint64_t count);
  // `cpu`: of all that executed what was seen last, read after it.
  void Compare(Nanoseconds cpu);

  // Why it is not plausible; "" so far.
  [[nodiscard]] const std::string& why() const { return why_; }

 private:
  std::uint64_t last_ = 0;
  std::string why_;
};

}  // namespace tally
