#include "supervisor/run/call_rules.h"

#include <linux/audit.h>
#include <sys/syscall.h>

#include <array>
#include <cstdint>

#include "supervisor/resources/proc_status.h"
#include "supervisor/sandbox/seccomp/policy.h"
#include "supervisor/tracing/trace_codes.h"

namespace tally {
namespace {

Abi AbiOf(const StoppedCall& call) {
  if (call.arch != AUDIT_ARCH_X86_64) return Abi::kI386;
  return (call.number & 0x40000000) != 0 ? Abi::kX32 : Abi::kX86_64;
}

}  // namespace

bool CallRules::Allows(pid_t tid, const StoppedCall& call, bool started) {
  switch (static_cast<TraceCode>(call.code)) {
    case TraceCode::kExec: return !started || plan_.permissions.processes;
    case TraceCode::kSignal: return IsToItself(tid, call);
    case TraceCode::kAllocation: {
      const Bytes size{call.arguments[call.number == SYS_mremap && AbiOf(call) == Abi::kX86_64 ? 2 : 1]};
      if (plan_.memory->RefusesAllocation(tid, size)) allocation_refused_ = true;
      return true;
    }
    case TraceCode::kCount:
    case TraceCode::kNoSuchCall:
    case TraceCode::kEngine: return true;
    case TraceCode::kForbidden:
    case TraceCode::kForeignAbi: return false;
  }
  return false;
}

// kill, tkill, tgkill: the first argument is the program's own id in its namespace.
bool CallRules::IsToItself(pid_t tid, const StoppedCall& call) {
  const auto target = static_cast<std::int32_t>(call.arguments[0]);
  if (own_id_ == 0) own_id_ = static_cast<pid_t>(ProcStatusNumber(tid, "NSpid").value_or(0));
  return target == own_id_;
}

ForbiddenCall CallRules::Describe(const StoppedCall& call) {
  return {SyscallName(AbiOf(call), call.number), call.number, std::to_array(call.arguments)};
}

}  // namespace tally
