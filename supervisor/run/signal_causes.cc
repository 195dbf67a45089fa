#include "supervisor/run/signal_causes.h"

#include <csignal>
#include <cstdint>

#include "supervisor/resources/proc_status.h"
#include "supervisor/tracing/tracee.h"

namespace tally {

bool IsFileSizeSignal(pid_t tid, int signal) {
  if (signal != SIGXFSZ) return false;
  siginfo_t info{};
  const bool raised = ::ptrace(PTRACE_GETSIGINFO, tid, nullptr, &info) == 0 && info.si_code == SI_TKILL;
  return !raised;
}

bool IsStackOverflow(pid_t tid, int signal, const std::optional<Bytes>& limit) {
  if (signal != SIGSEGV || !limit) return false;
  siginfo_t info{};
  user_regs_struct registers{};
  if (::ptrace(PTRACE_GETSIGINFO, tid, nullptr, &info) != 0 || !Registers(tid, &registers)) return false;
  const auto address = reinterpret_cast<std::uint64_t>(info.si_addr);
  constexpr std::uint64_t kNear = 64 << 10;  // a frame's worth
  if (address + kNear < registers.rsp || address > registers.rsp + kNear) return false;
  const std::optional<Bytes> stack = ProcStatusBytes(tid, "VmStk");
  return stack && stack->count + 2 * kNear >= limit->count;
}

}  // namespace tally
