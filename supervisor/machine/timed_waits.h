// Waits with an end in time of a program that is several threads or processes: they are waited for in truth, because the
// others go on meanwhile, but by when is said by the virtual clock. clock_nanosleep, nanosleep, and futex(2) as
// pthread_cond_timedwait, sem_timedwait and their kin use it.
//
// A moment that the program worked out from the virtual clock means another to the kernel, so it is replaced by the
// kernel's time of now plus what is left. And when such a wait has ended by itself that moment has come: the clock is
// set forward to it, or the program would wait for it for ever.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <ctime>
#include <optional>

#include "supervisor/machine/virtual_clock.h"
#include "supervisor/tracing/tracee.h"

namespace tally {

struct TimedWait {
  Nanoseconds until{0};  // since the virtual machine's start
  // Where a moment of the kernel's is to be given instead, as a timespec: in which argument, and what it is now.
  std::optional<unsigned> argument;
  timespec kernel_until{};
};

// Nothing: it has no end, or the kernel will refuse it. `count`: instructions, this one included.
std::optional<TimedWait> TimedWaitOf(pid_t tid, const StoppedCall& call, const VirtualClock& clock, std::uint64_t count);

// Did a wait with this result end by itself?
bool HasPassed(std::uint64_t number, std::int64_t result);

}  // namespace tally
