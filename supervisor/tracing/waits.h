// What the kernel has to tell of our children and tracees: the only place in supervisor/ that waits for
// processes (wait(2), ptrace(2)); scripts/check-includes sees to that.
//
// An end is told as often as it is asked for, until Reap. A stop that was looked at is told again; one that
// was taken is not.
#pragma once

#include <sys/types.h>

#include <optional>
#include <utility>

#include "supervisor/tracing/wait_status.h"

namespace tally::waits {

using Event = std::pair<pid_t, WaitStatus>;

// Is the task ours (still)? `event` is what it has to tell, if anything; a stop stays.
struct Sight {
  bool is_ours;
  std::optional<WaitStatus> event;
};
Sight LookAt(pid_t tid);
// Of any child the end, or a stop that came just now: a tracer is told of stops whatever it asks for
// (kernel/exit.c, wait_task_stopped). It is told again.
std::optional<Event> AnyEnd();

struct Taken {
  bool is_ours;
  std::optional<WaitStatus> stop;
};
Taken TakeStop(pid_t tid);
std::optional<Event> TakeAnyStop();
// Sleeps until there is one. Nothing: the task is at its end, or a signal came (`errno` is EINTR then).
std::optional<WaitStatus> AwaitAndTakeStop(pid_t tid);
// Sleeps until any child has stopped or ended; a stop is taken, an end is reaped. Nothing: there are no
// children.
std::optional<Event> AwaitAny();

// False: it has not ended yet. An id that was reaped may be another process's.
bool Reap(pid_t child);
// Does the handle (pidfd_open(2)) stand for a child of ours that was not reaped?
bool IsOurs(int handle);
// Sleeps until it has ended.
void AwaitEnd(pid_t child);

}  // namespace tally::waits
