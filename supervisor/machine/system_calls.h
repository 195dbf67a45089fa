// System calls that ask what machine this is, answered with one that is the same everywhere: uname, sysinfo, getcpu,
// sched_getaffinity, and what arch_prctl(2) says of cpuid.
#pragma once

#include <sys/types.h>

#include <cstdint>

#include "base/units.h"
#include "supervisor/tracing/tracee.h"

namespace tally {

// The call's result, negative errno.
std::int64_t TellSystem(pid_t tid, const StoppedCall& call, Nanoseconds since_start);

}  // namespace tally
