// Waiting for the program while it traps every few microseconds, as it does in new code.
//
// Theory of operation. A trap is two switches between the program and us. On two processors each is a wake-up across,
// with an interrupt, in a virtual machine several times the price of a switch on one. So from its first trap to its end
// both stay on the processor we are on; a program that traps once is left where it is. A burst is over when no trap has
// come for a while, or when it is time for Watch to look at its deadlines.
//
// For the first few stops we sleep until SIGCHLD, which is blocked (wake_ups.cc), with a timeout; one that was meant for
// another child is not lost: Watch asks for all that happened before it sleeps. From then on we wait for the task itself,
// and a tick sees to it that this ends (wait_tick.h).
#pragma once

#include <sched.h>
#include <sys/types.h>

#include <optional>

#include "base/units.h"
#include "supervisor/translator/wait_tick.h"
#include "supervisor/wait_status.h"

namespace tally {

class TrapBurst {
 public:
  // `together`: whether the program may be kept on our processor. It can see that (sched_getaffinity(2)), and would
  // hand it on to threads that it starts. `return_by`: when it is over at the latest (monotonic clock).
  TrapBurst(pid_t tid, bool together, Nanoseconds return_by);
  ~TrapBurst();
  TrapBurst(const TrapBurst&) = delete;
  TrapBurst& operator=(const TrapBurst&) = delete;

  // The next stop of the task, which runs. Nothing when the burst is over, or the task at its end.
  std::optional<WaitStatus> Next();
  [[nodiscard]] bool IsLong() const;

 private:
  void Join();
  std::optional<WaitStatus> First();
  std::optional<WaitStatus> NextByTick();

  pid_t tid_;
  Nanoseconds end_;
  bool may_join_;
  bool joined_ = false;
  int stops_ = 0;
  std::optional<WaitTick> tick_;
  cpu_set_t ours_{};
  cpu_set_t theirs_{};
};

}  // namespace tally
