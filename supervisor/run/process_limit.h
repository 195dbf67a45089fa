// How many tasks may be at one time, and what becomes of those that come too many.
//
// Theory of operation. A newer task's stops are told before an older one's (tracing/task_events.h), and a task that has called exit is
// at its exit only when it has had a processor. So of a program that hands its work on from process to process, each of which exits at
// once, the old ones may still be there when a new one is told of. A task too many stands still at its stop, and its maker at the
// stop that tells of it (tracing/postponed_stops.h), until nothing else is left to handle, and while others may be on their way to
// their exit: as long as any of them wants a processor, and all together have not had one for kCpuToExit. What is too many then is
// too many: it has executed nothing.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <unordered_set>

#include "base/units.h"
#include "supervisor/tracing/tasks.h"

namespace tally {

class ProcessLimit {
 public:
  ProcessLimit(std::size_t most, Tasks* tasks) : most_(most), tasks_(*tasks) {}

  // A task that nobody knew.
  void OnNewTask(pid_t task);
  // What a stop that tells of `task`, its own or its maker's, is to be followed by. Sleeps for a moment where that is kHold.
  enum class Answer { kGoOn, kHold, kExceeded };
  [[nodiscard]] Answer MayGoOn(pid_t task);
  // For a caller that does not come to ask that, because tasks stop all the time.
  [[nodiscard]] bool IsExceeded();

 private:
  // Where they are no more, nobody is held any longer.
  bool AreTooMany();
  [[nodiscard]] bool HadTimeToExit() const;
  [[nodiscard]] bool AnyRuns() const;

  const std::size_t most_;
  Tasks& tasks_;
  std::unordered_set<pid_t> too_many_;
  Nanoseconds since_{0};        // the first of them came
  Nanoseconds cpu_then_{0};     // of all tasks
  int quiet_checks_ = 0;         // since one of them was seen to run
};

}  // namespace tally
