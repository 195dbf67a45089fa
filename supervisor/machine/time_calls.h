// System calls that tell the time, answered by the virtual clock: clock_gettime, clock_getres, gettimeofday, time, times
// and getrusage.
#pragma once

#include <sys/types.h>

#include <cstdint>

#include "supervisor/machine/virtual_clock.h"
#include "supervisor/tracing/tracee.h"

namespace tally {

// The call's result, negative errno. `count`: instructions, this one included.
std::int64_t TellTime(pid_t tid, const StoppedCall& call, const VirtualClock& clock, std::uint64_t count);

}  // namespace tally
