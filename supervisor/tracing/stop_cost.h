// What a stop of ours at a system call costs the program, in CPU time and in real time: measured on the program itself, while
// it runs.
//
// Theory of operation. A task that is stopped in front of a call is sent back to its call instruction, where it stops again.
// In between it executes nothing else; so what its CPU clock and the monotonic clock have advanced by is what one stop costs,
// on this machine, at this moment, with these filters. Each kEvery-th call is measured so. The limits then leave out the mean
// times the number of stops (run/limit_watch.h).
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>

#include "base/units.h"
#include "supervisor/tracing/tracee.h"
#include "supervisor/tracing/wait_status.h"

namespace tally {

struct StopTimes {
  Nanoseconds cpu{0}, real{0};
};

// While it lives, a stopped task executes next to nothing of its own and stops again and again, for us: what that costs it is added to `sum`.
class StopsOfOurs {
 public:
  StopsOfOurs(pid_t tid, StopTimes* sum);
  ~StopsOfOurs();
  StopsOfOurs(const StopsOfOurs&) = delete;
  StopsOfOurs& operator=(const StopsOfOurs&) = delete;

 private:
  pid_t tid_;
  StopTimes& sum_;
  StopTimes begin_;
};

class StopCost {
 public:
  // Is the n-th call one to be measured?
  [[nodiscard]] static bool IsDue(std::uint64_t calls, const StoppedCall& call);

  // `tid` is stopped by a filter in a call. The stop it is at afterwards: the same again, or another that came in between;
  // nothing when it runs, or is at its end.
  std::optional<WaitStatus> Measure(pid_t tid);

  // Of so many calls, each of which stopped once. Nothing is known, and nothing left out, before the first measurement.
  [[nodiscard]] Nanoseconds Cpu(std::uint64_t calls) const { return Of(cpu_, calls); }
  [[nodiscard]] Nanoseconds Real(std::uint64_t calls) const { return Of(real_, calls); }

 private:
  static constexpr std::uint64_t kEvery = 100;
  [[nodiscard]] Nanoseconds Of(Nanoseconds measured, std::uint64_t calls) const;

  std::uint64_t measurements_ = 0;
  Nanoseconds cpu_{0};
  Nanoseconds real_{0};
};

}  // namespace tally
