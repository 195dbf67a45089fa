// Bringing a task to a standstill at a guest instruction, wherever it is, so that translations can be forgotten
// (code_space.h), and letting it go on in new ones.
//
// Theory of operation. PTRACE_INTERRUPT stops a task that runs, and one that waits in a system call. It may come to
// another stop of its own first; that one is kept for Watch, which sees it when all is done (postponed). In between
// only registers are changed, which is invisible to whoever looks at the stop later:
//   - at a trap of ours: it is answered, as always;
//   - at a fault or another signal: the registers become the guest's, as before its delivery. A signal that came
//     between two guest instructions would be lost by stepping to the next, so it is sent again;
//   - in front of a system call that a filter stopped: it goes back to it;
//   - behind an instruction that led to a signal, which is not delivered yet: it goes on to that stop, or what is done
//     here would be done to another place than the signal is about;
//   - where it stopped with its whole process (SIGSTOP): it goes on, too, and the kernel stops it once more;
//   - in a system call: the address it will return to changes. A call that the interrupt broke off would be repeated
//     by the kernel, by going back from that address; we go back ourselves, and uncount it.
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>

#include "base/error.h"
#include "supervisor/resources/proc_status.h"
#include "supervisor/tracing/injection.h"
#include "supervisor/translator/guest/guest.h"

namespace tally {
namespace {

WaitStatus JustStopped() { return WaitStatus::FromStop(SIGTRAP | PTRACE_EVENT_STOP << 8); }

// Values the kernel leaves in rax of a call that is to be repeated (include/linux/errno.h).
constexpr std::int64_t kRestartSys = -512;
constexpr std::int64_t kRestartNoIntr = -513;
constexpr std::int64_t kRestartNoHand = -514;
constexpr std::int64_t kRestartBlock = -516;

}  // namespace

bool Guest::Stop() {
  if (stopped_at_ || kernel_pc_) return false;
  if (stands_) {
    if (is_outside_) return true;
    try {
      CountInTurn(0);
      counted_between_ = 0;
      ToGuest(false);
      is_outside_ = true;
      return true;
    } catch (const TaskIsGone&) {
      return false;
    }
  }
  stopped_at_ = run_->postponed->Take(tid_);
  if (!stopped_at_) {
    if (::ptrace(PTRACE_INTERRUPT, tid_, nullptr, nullptr) != 0) return false;
    stopped_at_ = AwaitStop(tid_);
    if (stopped_at_ && stopped_at_->event() == PTRACE_EVENT_STOP && HasFaultAhead()) stopped_at_ = RunToStop(PTRACE_SINGLESTEP, tid_, 0);
    if (!stopped_at_) return false;
  }
  if (stopped_at_->kind() == WaitStatus::Kind::kGroupStop) {
    StopAgain(tid_);
    stopped_at_ = JustStopped();
  }
  try {
    if (stopped_at_->kind() == WaitStatus::Kind::kEvent && stopped_at_->event() == PTRACE_EVENT_SECCOMP) TakeCallBack();
    const bool is_ours = stopped_at_->kind() == WaitStatus::Kind::kSignalStop && stopped_at_->signal() == SIGTRAP && HandleTrap();
    const std::optional<int> again = is_ours ? std::nullopt : SignalBetweenInstructions(*stopped_at_);
    if (is_ours || again) stopped_at_ = JustStopped();
    if (const auto other = TakeOtherStop()) stopped_at_ = other;
    const bool in_call = stopped_at_->kind() == WaitStatus::Kind::kEvent && stopped_at_->event() == PTRACE_EVENT_STOP;
    ToGuest(stopped_at_->kind() == WaitStatus::Kind::kSignalStop);
    if (again) ::syscall(SYS_tkill, tid_, *again);
    if (in_call) RestartInterruptedCall();
    return true;
  } catch (const TaskIsGone&) {
    stopped_at_.reset();
    return false;
  }
}

// Did an instruction lead to a signal that is not delivered yet? The kernel sees to an interrupt first, so a task that was
// interrupted right then, as happens where others want its processor, stands behind a trap of ours, say, where another
// translation begins. It stops at the signal before it executes anything, unless that is blocked, and then it is one that
// the program sent itself. A step, for another thread may have it dropped at this moment (rt_sigaction(2)).
bool Guest::HasFaultAhead() const {
  constexpr std::int32_t kAtOnce = 16;
  std::array<siginfo_t, kAtOnce> pending{};
  __ptrace_peeksiginfo_args which{.off = 0, .flags = 0, .nr = kAtOnce};
  std::uint64_t mask = 0;
  for (long n = kAtOnce; n == kAtOnce; which.off += kAtOnce) {
    n = ::ptrace(PTRACE_PEEKSIGINFO, tid_, &which, pending.data());
    for (long i = 0; i < n; ++i) {
      if (IsFromTheProcessor(pending[i].si_signo, pending[i].si_code)) mask |= 1ULL << (pending[i].si_signo - 1);
    }
  }
  if (mask == 0) return false;
  std::uint64_t blocked = 0;
  return ::ptrace(PTRACE_GETSIGMASK, tid_, sizeof blocked, &blocked) == 0 && (mask & ~blocked) != 0;
}

// It stopped in front of a call: it makes it anew when it goes on. To leave it there would not do, for what is behind the
// call will be at another address, from which the kernel could not go back to repeat it.
void Guest::TakeCallBack() {
  user_regs_struct r = Get();
  r.rip -= kSyscallLength;
  r.rax = r.orig_rax;
  r.orig_rax = ~0ULL;
  Set(r);
  stopped_at_ = JustStopped();
}

// The signal the task stopped at, unless it is the fault of an instruction.
std::optional<int> Guest::SignalBetweenInstructions(const WaitStatus& status) const {
  if (status.kind() != WaitStatus::Kind::kSignalStop) return std::nullopt;
  if (IsFromTheProcessor(status.signal(), SignalInfo().si_code)) return std::nullopt;
  return status.signal();
}

void Guest::RestartInterruptedCall() {
  user_regs_struct r = Get();
  const auto result = static_cast<std::int64_t>(r.rax);
  if (static_cast<std::int64_t>(r.orig_rax) < 0) return;
  switch (result) {
    case kRestartSys:
    case kRestartNoIntr:
    case kRestartNoHand: r.rax = r.orig_rax; break;
    case kRestartBlock: r.rax = SYS_restart_syscall; break;
    case -EINTR: {  // which some calls say where others say one of the above (signal(7))
      const std::optional<SignalSets> sets = SignalSetsOf(tid_);
      if (!sets || ((sets->own | sets->of_process) & ~sets->blocked) != 0) return;
      r.rax = r.orig_rax;
      break;
    }
    default: return;
  }
  r.rip -= kSyscallLength;
  r.orig_rax = ~0ULL;
  page_.Correct(-1, -1);
  ReportNotExecuted(1);
  Set(r);
}

GuestPc Guest::BehindCall() const {
  const std::optional<GuestPlace> place = space_->translator().PlaceOf(Get().rip);
  if (!place) throw SystemError("translator: a system call from nowhere", 0);
  return place->pc;
}

// Where it returns to may have been forgotten meanwhile.
void Guest::PassKernelWait() {
  if (!kernel_pc_ || !std::exchange(kernel_entered_, true)) return;
  user_regs_struct r = Get();
  EndWait(&r);
  r.rcx = *kernel_pc_;
  r.gs_base = page_.address();
  kernel_pc_.reset();
  kernel_entered_ = false;
  CompleteCall(r);
  GoTo(&r, r.rcx);
}

// One that stands stays outside until its turn comes: where many do, and one makes code, the world is stopped again and again.
void Guest::GoOnAfterStop() {
  if (is_outside_) return;
  const std::optional<WaitStatus> at = std::exchange(stopped_at_, std::nullopt);
  try {
    user_regs_struct r = Get();
    if (space_->code().IsExecutable(r.rip)) EnterTranslation(&r, r.rip);
    if (at) run_->postponed->Add(tid_, *at);
  } catch (const TaskIsGone&) {
    return;  // its end is on the way to Watch
  }
}

void Guest::ComeBack() {
  if (!std::exchange(is_outside_, false)) return;
  user_regs_struct r = Get();
  if (space_->code().IsExecutable(r.rip)) EnterTranslation(&r, r.rip);
}

}  // namespace tally
