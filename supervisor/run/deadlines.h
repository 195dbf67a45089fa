// When to look again: the earliest moment at which any limit can have been passed.
//
// A program that has used c of a CPU limit L cannot pass it before (L - c) / cores of wall time; so we sleep
// just that long, look, and sleep for what is left then. No polling: a busy loop is looked at once or twice,
// and the overshoot is one kShortestInterval. Kernel CPU timers would do for one process, this does for any number.
// Instructions are no time, and a program may come from slow ones to fast ones: its own rate says nothing of what it does
// next, so the bound is what no processor does, and some sixty looks come before the limit.
// Only idle time, of which nobody knows when it began, needs a few looks a second.
#pragma once

#include <optional>

#include "base/units.h"
#include "supervisor/api/run_request.h"
#include "supervisor/resources/cpu_clock.h"
#include "supervisor/run/observations.h"

namespace tally {

struct Usage {
  CpuTime cpu;
  Nanoseconds wall{0};
  Nanoseconds idle{0};
  std::optional<Instructions> instructions;  // live figure, where the counter has one
  std::optional<Bytes> memory;               // live figure, where a limit is enforced by looking
};

inline constexpr Nanoseconds kShortestInterval = std::chrono::microseconds(500);
inline constexpr Nanoseconds kLongestInterval = std::chrono::hours(1);

// `parallelism`: how many tasks of the program can run at one time.
Nanoseconds NextCheck(const Limits& limits, const Usage& usage, unsigned parallelism);

// The first limit that is passed, in the order Judge would name it.
std::optional<LimitKind> PassedLimit(const Limits& limits, const Usage& usage);

// Tracks the wall time in which the CPU time stood still.
class IdleWatch {
 public:
  // Returns for how long the program has been idle by now, as far as looks can tell.
  Nanoseconds Sample(Nanoseconds wall, Nanoseconds cpu);

 private:
  Nanoseconds last_cpu_{-1};
  Nanoseconds last_advance_{0};
};

}  // namespace tally
