// System calls by which a program sleeps, answered by advancing the clock: nanosleep, clock_nanosleep, poll and select
// without descriptors, and waits for another thread where there is none.
//
// For the limits on real and idle time a sleep counts as if it had been slept (Watch adds it). One that passes such a
// limit goes only so far as the limit reaches, and the program waits there for its end.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>

#include "supervisor/api/run_request.h"
#include "supervisor/machine/virtual_clock.h"
#include "supervisor/tracing/tracee.h"

namespace tally {

class SleepCalls {
 public:
  SleepCalls(const Limits& limits, VirtualClock* clock)
      : idle_limit_(limits.idle_time), wall_limit_(limits.wall_time), clock_(clock) {}

  // The call's result, negative errno; nothing: it waits in truth. `count`: instructions, this one included.
  std::optional<std::int64_t> Answer(pid_t tid, const StoppedCall& call, std::uint64_t count);

  // All tasks of the program sleep so long.
  void Sleep(Nanoseconds duration);
  // A sleep passed a limit: the program is not to go on.
  [[nodiscard]] bool too_long() const { return too_long_; }

 private:
  std::optional<std::int64_t> ByClock(pid_t tid, const StoppedCall& call, std::uint64_t count);
  std::optional<std::int64_t> OnFutex(pid_t tid, const StoppedCall& call, std::uint64_t count);
  std::int64_t For(pid_t tid, std::uint64_t timespec_at);
  std::optional<std::int64_t> ForNothing(pid_t tid, const StoppedCall& call);

  std::optional<Nanoseconds> idle_limit_, wall_limit_;
  VirtualClock* clock_;
  bool too_long_ = false;
};

}  // namespace tally
