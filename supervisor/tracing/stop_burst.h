// Waiting for the program while it stops every few microseconds: in new code, which the translator puts off until then, and
// where each of its system calls is counted by a stop.
//
// Theory of operation. From the first stop of a burst to its end both stay on the processor we are on (one_processor.h); a
// program that stops once is left where it is. A burst is over when no stop has come for a while, or when it is time for
// Watch to look at its deadlines.
//
// For the first few stops we sleep until SIGCHLD, which is blocked (wake_ups.cc), with a timeout; one that was meant for
// another child is not lost: Watch asks for all that happened before it sleeps. From then on we wait for the task itself,
// and a tick sees to it that this ends (wait_tick.h).
#pragma once

#include <sys/types.h>

#include <optional>

#include "base/units.h"
#include "supervisor/tracing/one_processor.h"
#include "supervisor/tracing/wait_status.h"
#include "supervisor/tracing/wait_tick.h"

namespace tally {

class StopBurst {
 public:
  static constexpr Nanoseconds kPatience = std::chrono::milliseconds(2);  // without a stop

  // `together`: whether the program may be kept on our processor. `return_by`: when it is over at the latest (monotonic
  // clock).
  StopBurst(pid_t tid, bool together, Nanoseconds return_by);
  StopBurst(const StopBurst&) = delete;
  StopBurst& operator=(const StopBurst&) = delete;

  // From now on it is the stops of this one that are awaited: of tasks that run one at a time.
  void Follow(pid_t tid) { tid_ = tid; }
  // The next stop of the task, which runs. Nothing when the burst is over, or the task at its end.
  std::optional<WaitStatus> Next();
  [[nodiscard]] bool IsLong() const;

 private:
  std::optional<WaitStatus> First();
  std::optional<WaitStatus> NextByTick();

  pid_t tid_;
  Nanoseconds end_;
  bool may_join_;
  int stops_ = 0;
  std::optional<WaitTick> tick_;
  std::optional<OneProcessor> together_;
};

}  // namespace tally
