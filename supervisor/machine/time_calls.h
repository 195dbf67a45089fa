// System calls that tell the time, answered by the virtual clock: clock_gettime, clock_getres, gettimeofday, time, times
// and getrusage.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>

#include "supervisor/machine/virtual_clock.h"
#include "supervisor/tracing/tracee.h"

namespace tally {

// Kinds of clocks (include/uapi/linux/time.h). A negative id is the CPU clock of a process or thread, its two lowest bits 3 a device
// (include/linux/posix-timers.h).
enum class ClockKind : std::uint8_t { kDate, kSinceStart, kCpu };
std::optional<ClockKind> KindOfClock(std::int32_t id);

// The call's result, negative errno. `count`: instructions, this one included.
std::int64_t TellTime(pid_t tid, const StoppedCall& call, const VirtualClock& clock, std::uint64_t count);

}  // namespace tally
