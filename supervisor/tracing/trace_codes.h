// Why a filter stopped the program: the 16 bits of SECCOMP_RET_DATA that come with a ptrace stop
// (PTRACE_GETEVENTMSG). Written by policy_compiler into the filters, read by the supervisor.
#pragma once

#include <cstdint>

namespace tally {

enum class TraceCode : std::uint16_t {
  kForbidden = 1,   // the policy has no rule for it: rule violation
  kForeignAbi = 2,  // another ABI's call (i386 int 0x80, x32): rule violation
  kExec = 3,        // execve: the first is ours, later ones by permission
  kSignal = 4,      // kill, tkill, tgkill: allowed at the program itself
  kAllocation = 5,  // a large mmap or mremap: will the limit refuse it?
  kCount = 6,       // allowed; the stop only counts it
  kNoSuchCall = 8,  // answered with ENOSYS; no errno of the filter's, because the engine makes the call itself
  kEngine = 7,      // allowed; the engine has something to do (translator/guest/call_filter.h)
};

// Where the supervisor keeps the path of the program to start, so that filters can tell the first execve from the
// program's own without a stop (child_setup.cc). An address of no meaning, far from where Linux maps anything.
inline constexpr std::uint64_t kLaunchPath = 0x1700'0000'0000;

}  // namespace tally
