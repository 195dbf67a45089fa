// Whoever wants to know which system calls a program makes, when, and for how long (profile/timeline/). The translator
// tells it, for a run that asks (RunRequest::call_observer): translated code writes each call down itself, so no call
// stops but those that name a file or an address.
//
// Times are ticks of the processor's time stamp counter, the same for program and supervisor; Clock says how they become
// nanoseconds.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <span>
#include <string_view>

#include "base/units.h"

namespace tally {

using Ticks = std::uint64_t;

// A call as it is written down, 64 bytes.
struct ObservedCall {
  std::uint64_t number = 0;        // as in <sys/syscall.h>
  std::uint64_t arguments[3]{};    // the first three
  Ticks begin = 0;
  std::int64_t result = 0;         // as the kernel gave it: -errno where it failed
  Ticks end = 0;
  std::uint64_t reserved = 0;
};
static_assert(sizeof(ObservedCall) == 64);

class CallObserver {
 public:
  virtual ~CallObserver() = default;

  // The program stands before its first instruction; `first` is its first task.
  virtual void Began(pid_t first, Ticks when) = 0;
  // A thread of its parent's process, or a process of its own. Its descriptors are its parent's own, or a copy of them.
  virtual void TaskBegan(pid_t task, pid_t parent, bool is_thread, bool shares_descriptors, Ticks when) = 0;
  // All its calls have been told. `unfinished` is the one it did not come back from, exit(2) or another; nullptr: none.
  virtual void TaskEnded(pid_t task, const ObservedCall* unfinished, Ticks when) = 0;
  // What it named in a call that it is about to make and that comes next of its kind in Called: the path of open, openat,
  // openat2, creat or execve; the address of connect or bind, as text ("127.0.0.1:80", "/run/socket"); what prctl(PR_SET_NAME) names it.
  virtual void Named(pid_t task, std::uint64_t number, std::string_view name) = 0;
  // Calls it came back from, in order. Told in portions, those of one task when there are some thousands.
  virtual void Called(pid_t task, std::span<const ObservedCall> calls) = 0;
  // SIGSTOP and its kin, or a frozen cgroup, held it up from the one moment to the other.
  virtual void Stopped(pid_t task, Ticks begin, Ticks end) = 0;
  // It stood while its code was translated or a call of its was looked at, which has nothing to do with the program. Before `begin`, since the last
  // time that it went on, it was neither on a processor nor waiting for one for `idle`: in calls that blocked, or standing while nobody knew yet.
  virtual void Translated(pid_t /*task*/, Ticks /*begin*/, Ticks /*end*/, Nanoseconds /*idle*/) {}
  // The run is over: so many nanoseconds passed between two readings of the counter.
  virtual void Clock(Ticks begin, Ticks end, std::uint64_t nanoseconds) = 0;
};

}  // namespace tally
