// Watch: from the moment the program may start to the moment nothing of it is left.
//
// Theory of operation. One ppoll waits for everything (wake_ups.h): ptrace stops and ends, the hardware counter's
// overflow, output to be moved on, and the next look at the limits, which is its timeout. After each wake-up pending stops
// are handled until none is left or the look is due, then limits are compared if one can have been passed (limit_watch.h);
// so no wake-up is lost and nothing is polled.
//
// Every task of the program is a ptrace tracee. A well-behaved single-threaded program stops twice: after its
// execve (PTRACE_EVENT_EXEC) and at its end (PTRACE_EVENT_EXIT). All ends go through one door: End(), which notes why,
// reads the last figures and kills the program's processes and init, and with it the whole process namespace.
#pragma once

#include "supervisor/run/observations.h"
#include "supervisor/run/watch_plan.h"
#include "supervisor/sandbox/child_setup.h"
#include "supervisor/tracing/tasks.h"

namespace tally {

// The ptrace options a run needs.
unsigned long TraceOptions(const WatchPlan& plan);

// CannotExecute when the kernel refuses to execute the user's program, SystemError for our failures.
// `tasks` is empty; after an exception it has what is to be ended.
Observations Watch(const WatchPlan& plan, Child* child, Tasks* tasks);

}  // namespace tally
