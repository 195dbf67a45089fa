// Looks at the limits: samples what the program has used, says which limit is passed, and when to look again
// (deadlines.h says how early that can be).
//
// The next look is a moment and not a duration, because much may come before it: whoever keeps the program in hand for
// a while, Watch in handling stops or an engine in awaiting the next one, ends in time for it.
#pragma once

#include <optional>

#include "supervisor/deadlines.h"
#include "supervisor/observations.h"
#include "supervisor/task_table.h"
#include "supervisor/watch.h"

namespace tally {

class LimitWatch {
 public:
  LimitWatch(const WatchPlan& plan, const TaskTable& tasks);

  // The program's first instruction is next.
  void Begin();
  // The limit that is passed. `allowance`: what our stops may have cost in real and system time.
  std::optional<LimitKind> Look(Nanoseconds allowance);
  // No limit is looked at any more.
  void Stop();

  // Of the monotonic clock.
  [[nodiscard]] Nanoseconds next() const { return next_; }
  // Since Begin, with the sleep that took no time, which counts as if it had.
  [[nodiscard]] Nanoseconds Wall() const;
  [[nodiscard]] Nanoseconds Slept() const;

 private:
  [[nodiscard]] Usage Sample();
  void LookAgainIn(Nanoseconds duration);
  [[nodiscard]] unsigned Parallelism() const;

  const WatchPlan& plan_;
  const TaskTable& tasks_;
  Limits limits_;  // the plan's, with the allowance
  IdleWatch idle_;
  Nanoseconds start_{0};
  Nanoseconds next_{Nanoseconds::max()};
};

}  // namespace tally
