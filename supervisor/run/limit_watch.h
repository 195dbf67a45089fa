// Looks at the limits: samples what the program has used, says which limit is passed, and when to look again
// (deadlines.h says how early that can be).
//
// A machine that stands still (a virtual one whose host takes its processors away, one with far too
// much to do) is no fault of the program's. We stand still with it, and see it by a look
// that comes late: a delay longer than a busy scheduler's is a standstill, and counts neither as idle nor,
// for the limit on it, as real time. Nor is a program idle that waits for nothing but a processor. CPU time
// needs none of this: the kernel does not count what the host has taken (CONFIG_PARAVIRT_TIME_ACCOUNTING).
//
// The next look is a moment and not a duration, because much may come before it: whoever keeps the program in
// hand for a while, Watch in handling stops or an engine in awaiting the next one, ends in time for it.
#pragma once

#include <optional>

#include "supervisor/run/deadlines.h"
#include "supervisor/run/observations.h"
#include "supervisor/run/watch_plan.h"
#include "supervisor/tracing/tasks.h"

namespace tally {

class LimitWatch {
 public:
  LimitWatch(const WatchPlan& plan, const Tasks& tasks);

  // The program's first instruction is next.
  void Begin();
  // The limit that is passed. Of `other`, what our stops have cost is told.
  std::optional<LimitKind> Check(NotItsOwn other);
  // No limit is looked at any more.
  void Stop();
  // The program's end was seen just now: if that was late, so may the end have been.
  void NoteDelay();

  // Of the monotonic clock.
  [[nodiscard]] Nanoseconds next() const { return next_; }
  // Since Begin, with the sleep that took no time, which counts as if it had.
  [[nodiscard]] Nanoseconds Wall() const;
  [[nodiscard]] Nanoseconds Slept() const;
  // Of the real time, as far as it was seen.
  [[nodiscard]] Nanoseconds standstill() const { return standstill_; }
  // A task is about to end: how long it waited can still be read.
  void NoteExit(pid_t tid);
  // For how long some task could run and had no processor. Several wait at the same time, and for each other; so it is the longest
  // wait of any, which is no more than that. What the first waited before Begin is in it, a part of what its start took: to leave it
  // out would be to ask the kernel in every run. With a program of one task, how long we waited for a processor since Begin, too,
  // for it stood at a stop then.
  [[nodiscard]] Nanoseconds Waited() const;

 private:
  [[nodiscard]] Usage Sample();
  // Where a memory limit is kept by looking.
  void AddMemory(Usage* usage) const;
  void CheckAgainIn(Nanoseconds duration);
  [[nodiscard]] bool WaitsForProcessor() const;
  [[nodiscard]] unsigned Parallelism() const;

  const WatchPlan& plan_;
  const Tasks& tasks_;
  Limits limits_;  // the plan's, with the allowance
  IdleWatch idle_;
  Nanoseconds start_{0};
  pid_t first_ = 0;  // the task that was there at Begin
  Nanoseconds we_waited_before_{0};
  Nanoseconds longest_wait_{0};  // of tasks that have ended
  Nanoseconds standstill_{0};
  Nanoseconds next_{Nanoseconds::max()};
};

}  // namespace tally
