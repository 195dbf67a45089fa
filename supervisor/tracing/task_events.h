// What has happened to the program's tasks and was not handled yet: stops and ends, each task in its turn.
//
// Theory of operation. waitid(2) for any child gives the newest of the tasks that have stopped, always (kernel/ptrace.c,
// __ptrace_link, puts a new tracee in front), and ends are looked for where there is no stop. Two tasks that stop again
// while we handle each other's stops would be all that we ever saw. So after as many stops as there are tasks each is asked,
// by its id, what has happened to it. That is two system calls more for a stop at most, and none for a program of one task.
// The stop of a task that is held is told only when nothing else has happened.
//
// A postponed stop is no longer true when its task has something new to tell: it was killed, or another thread's execve took
// its id (ptrace(2), "execve(2) under ptrace").
#pragma once

#include <sys/types.h>

#include <optional>
#include <vector>

#include "supervisor/tracing/postponed_stops.h"
#include "supervisor/tracing/tasks.h"
#include "supervisor/tracing/waits.h"

namespace tally {

class TaskEvents {
 public:
  using Event = waits::Event;

  // Both are borrowed. Ends of other children of ours are told, too.
  TaskEvents(const Tasks& tasks, PostponedStops* postponed) : tasks_(tasks), postponed_(*postponed) {}

  // A stop is taken off the kernel's list; an end stays there until somebody reaps it. Nothing: nothing has happened.
  std::optional<Event> Next();

 private:
  std::optional<Event> NextInTurn();
  std::optional<Event> Postponed(std::optional<pid_t> tid);
  std::optional<Event> Of(pid_t tid);

  const Tasks& tasks_;
  PostponedStops& postponed_;
  std::size_t taken_ = 0;      // stops since all were asked
  std::vector<pid_t> to_ask_;  // in this turn
};

}  // namespace tally
