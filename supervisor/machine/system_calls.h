// System calls that ask what machine this is, answered with one that is the same everywhere: uname, sysinfo, getcpu,
// sched_getaffinity, and what arch_prctl(2) says of cpuid and of xsave's components.
#pragma once

#include <sys/types.h>

#include <cstdint>

#include "base/units.h"
#include "supervisor/tracing/tracee.h"

namespace tally {

// arch_prctl's questions about components of xsave (arch/x86/include/uapi/asm/prctl.h, Linux 5.16 and 5.17).
namespace xcomp {
inline constexpr std::uint32_t kGetSupported = 0x1021, kGetPermitted = 0x1022, kRequest = 0x1023, kGetPermittedOfGuests = 0x1024,
                               kRequestForGuests = 0x1025;
}  // namespace xcomp

// The call's result, negative errno. `components`: VirtualCpu::StateComponents.
std::int64_t TellSystem(pid_t tid, const StoppedCall& call, Nanoseconds since_start, std::uint64_t components);

}  // namespace tally
