// Signals of a task in translation: brought to a guest instruction, delivered there, entered into its handler
// (translated_engine.h tells how).
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstddef>
#include <iterator>
#include <vector>

#include "base/error.h"
#include "base/sys.h"
#include "supervisor/machine/processor_state.h"
#include "supervisor/machine/signal_frame.h"
#include "supervisor/resources/proc_status.h"
#include "supervisor/tracing/injection.h"
#include "supervisor/translator/guest/guest.h"

namespace tally {
namespace {

// From any host address to the next guest instruction: most of all through the branch targets of returns to addresses that are
// alike in their low 16 bits (branch_targets.h), as many as a program likes.
constexpr Nanoseconds kLongestWay = std::chrono::seconds(2);

// uc_sigmask, behind the return address (arch/x86/include/asm/sigframe.h, struct rt_sigframe).
constexpr GuestPc kMaskInFrame = sizeof(GuestPc) + offsetof(ucontext_t, uc_sigmask);
static_assert(kMaskInFrame == 304);

// Red zone, registers, and all states that a processor has so far (AMX: 11 KiB).
constexpr GuestPc kLargestFrame = 16 << 10;

bool IsIgnoredByDefault(int signal) {
  return signal == SIGCHLD || signal == SIGURG || signal == SIGWINCH || signal == SIGCONT;
}

bool StopsAProcess(int signal) {
  return signal == SIGSTOP || signal == SIGTSTP || signal == SIGTTIN || signal == SIGTTOU;
}

enum class Disposition { kHandler, kIgnored, kDefault };

Disposition DispositionOf(const SignalSets& sets, int signal) {
  const std::uint64_t bit = 1ULL << (signal - 1);
  if ((sets.caught & bit) != 0) return Disposition::kHandler;
  if ((sets.ignored & bit) != 0) return Disposition::kIgnored;
  return Disposition::kDefault;
}

constexpr bool IsThroughR11(Flow flow) {
  return flow == Flow::kReturn || flow == Flow::kIndirectCall || flow == Flow::kIndirectJump;
}

}  // namespace

bool Guest::IsFromTheProcessor(int signal, int code) {
  const bool can_be = signal == SIGSEGV || signal == SIGBUS || signal == SIGFPE || signal == SIGILL || signal == SIGTRAP;
  return can_be && code > 0;
}

int Guest::PrepareSignal(int signal) {
  if (Ignores(signal)) {
    if (!IsFromTheProcessor(signal, SignalInfo().si_code)) return 0;
    DropAction(signal);  // as the kernel does
  }
  const std::optional<SignalSets> sets = SignalSetsOf(tid_);
  if (!sets) throw TaskIsGone{};
  const Disposition disposition = DispositionOf(*sets, signal);
  // Whatever would be ignored ends here: passed on, it could enter a handler that another thread sets in this moment.
  if (disposition == Disposition::kIgnored || (disposition == Disposition::kDefault && IsIgnoredByDefault(signal))) return 0;
  if (disposition == Disposition::kDefault && StopsAProcess(signal)) {
    // A call that it breaks off is made again behind it: by turns, as the program makes it, or it would wait in the kernel.
    if (run_->takes_turns) ToGuest(false);
    return signal;
  }
  siginfo_t info = SignalInfo();
  const bool fault = IsFromTheProcessor(signal, info.si_code);
  const SignalMasks masks = Masks(sets->blocked);  // as they are before anything is done here
  const user_regs_struct r = ToGuest(fault);
  if (disposition == Disposition::kDefault) {
    ::ptrace(PTRACE_SETSIGINFO, tid_, nullptr, &info);  // we may stand at the stop of a step
    return signal;
  }
  if (fault && info.si_code != SI_KERNEL && (signal == SIGILL || signal == SIGFPE || signal == SIGTRAP)) {
    info.si_addr = reinterpret_cast<void*>(r.rip);  // NOLINT: an address in the program
  }
  SeeHandlerEntered(signal);
  return EnterHandler(signal, info, masks);
}

// Brings the program to the beginning of a guest instruction and gives it the guest's registers. Other signals wait. An
// instruction that faults on the way did nothing yet; it will fault again, when the first signal is delivered.
user_regs_struct Guest::ToGuest(bool fault) {
  MakeRoomInLog();
  std::optional<SignalsHeld> held;
  std::vector<int> late;  // that cannot be held
  const auto send_late = [&] {
    for (const int signal : late) ::syscall(SYS_tkill, tid_, signal);
  };
  const Nanoseconds until = sys::MonotonicNow() + kLongestWay;
  while (sys::MonotonicNow() < until) {
    user_regs_struct r = Get();
    if (space_->cache().Holding(r.rip) == nullptr) {  // it faulted at a guest address
      if (WasSentTo(r.rip)) {
        r.rip = faults_at_->pc;
        Set(r);
      }
      send_late();
      return r;
    }
    const std::optional<GuestPlace> place = space_->translator().PlaceOf(r.rip);
    if (place && (place->clean || fault)) {
      page_.Correct(place->uncounted, place->uncounted_calls);
      if (place->noted) ReportNotExecuted(place->not_executed);
      const bool half_done = !place->clean && IsThroughR11(place->instruction->flow);
      if (place->lent || half_done) r.r11 = page_.Word(control::kLentR11);
      if (place->at_call && space_->translator().SpillsRcxBeforeCall(*place->block)) r.rcx = page_.Word(control::kCallRcx);
      if (place->after_call) {
        r.rcx = place->pc;
        CompleteCall(r);
      }
      r.rip = place->pc;
      Set(r);
      send_late();
      return r;
    }
    if (!held) held.emplace(tid_);
    const int signal = Step();
    if (signal == 0) continue;
    if (IsFromTheProcessor(signal, SignalInfo().si_code)) {
      fault = true;
    } else {
      late.push_back(signal);
    }
  }
  run_->violation = "counter=translator cannot deliver a signal: no instruction ends near where it came";
  throw TaskIsGone{};
}

// One host instruction; a trap of ours on the way is answered. The result is a signal that came instead, or 0.
// The processor steps by a flag, which pushf pushes, a system call leaves in r11, and the kernel takes for the program's own behind a popf
// (arch/x86/kernel/step.c). None of that is the program's, unless it has set the flag.
std::optional<WaitStatus> Guest::StepUnseen() {
  constexpr std::uint64_t kTrapFlag = 1 << 8;
  constexpr std::uint8_t kPushFlags = 0x9c, kPopFlags = 0x9d;
  const user_regs_struct before = Get();
  const std::optional<WaitStatus> status = RunToStop(PTRACE_SINGLESTEP, tid_, 0);
  if (!status || (before.eflags & kTrapFlag) != 0 || space_->cache().Holding(before.rip) == nullptr) return status;
  const std::uint8_t* code = space_->cache().Ours(before.rip);
  const bool is_call = code[0] == 0x0f && code[1] == 0x05;
  while (*code == 0x66 || (*code & 0xf0) == 0x40) ++code;  // REX
  user_regs_struct after = Get();
  const user_regs_struct as_it_is = after;
  if (is_call && after.rip == before.rip + kSyscallLength) after.r11 &= ~kTrapFlag;
  if (*code != kPopFlags) after.eflags &= ~kTrapFlag;
  if (after.r11 != as_it_is.r11 || after.eflags != as_it_is.eflags) Set(after);
  std::uint16_t flags = 0;
  if (*code != kPushFlags || after.rsp >= before.rsp || ReadTracee(tid_, after.rsp, &flags, sizeof flags) != sizeof flags) return status;
  flags = static_cast<std::uint16_t>(flags & ~kTrapFlag);
  TryWriteTracee(tid_, after.rsp, &flags, sizeof flags);
  return status;
}

int Guest::Step() {
  const std::optional<WaitStatus> status = StepUnseen();
  if (!status) throw TaskIsGone{};
  if (status->kind() != WaitStatus::Kind::kSignalStop) throw SystemError("translator: no stop after a step", 0);
  if (status->signal() != SIGTRAP || SignalInfo().si_code <= 0) return status->signal();
  HandleTrap();
  const std::optional<WaitStatus> other = TakeOtherStop();
  return other ? other->signal() : 0;
}

// In sigsuspend(2) and its kin another mask holds than will when the handler has returned, and it is lost when we set one
// (kernel/ptrace.c, PTRACE_SETSIGMASK, which GETSIGMASK belies): the signal would count as blocked and never come.
Guest::SignalMasks Guest::Masks(std::uint64_t now) const {
  SignalMasks masks{.now = now};
  if (::ptrace(PTRACE_GETSIGMASK, tid_, sizeof masks.behind, &masks.behind) != 0) throw TaskIsGone{};
  return masks;
}

// A frame is written below the stack pointer or at the top of the alternate stack (sigaltstack(2)). Where that is guarded
// code the kernel would find no room.
void Guest::LetWriteFrame() {
  const std::vector<GuestCode::Range> guarded = space_->code().Guarded();
  if (guarded.empty()) return;
  const std::int64_t asked = Injector(tid_, space_->translator().gadget())
                                 .Call(SYS_sigaltstack, {0, page_.address() + control::kScratch});
  const GuestPc alternate = page_.Word(control::kScratch + offsetof(stack_t, ss_sp)) +
                            page_.Word(control::kScratch + offsetof(stack_t, ss_size));
  const GuestPc tops[] = {Get().rsp, asked == 0 ? alternate : 0};
  for (const GuestCode::Range& range : guarded) {
    const bool is_meant = std::any_of(std::begin(tops), std::end(tops), [&](GuestPc top) {
      return range.begin < top && top - std::min(top, kLargestFrame) < range.end;
    });
    if (is_meant) LetWrite(range);
  }
}

// Lets the kernel build the frame, and stops at the handler's first instruction. Where that will return to was called by
// nobody, so its branch target is made here: on its way past others the return would lose the flags.
int Guest::EnterHandler(int signal, const siginfo_t& info, const SignalMasks& masks) {
  LetWriteFrame();
  if (masks.now != masks.behind) ::ptrace(PTRACE_SETSIGMASK, tid_, sizeof masks.now, &masks.now);
  ::ptrace(PTRACE_SETSIGINFO, tid_, nullptr, &info);
  const std::optional<WaitStatus> status = RunToStop(PTRACE_SINGLESTEP, tid_, signal, WaitStatus::Kind::kSignalStop);
  if (!status) throw TaskIsGone{};
  user_regs_struct r = Get();
  if (status->signal() != SIGTRAP) {
    const siginfo_t fault = SignalInfo();
    const bool not_entered = status->signal() == SIGSEGV && fault.si_code == SEGV_ACCERR &&
                             reinterpret_cast<GuestPc>(fault.si_addr) == r.rip && space_->code().IsExecutable(r.rip);
    if (!not_entered) return PrepareSignal(status->signal());  // no room for a frame: SIGSEGV
    // Another thread had the signal ignored meanwhile, so the program was at its own next instruction.
    GoTo(&r, r.rip);
    return 0;
  }
  const std::uint64_t components = run_->machine.state_components();
  ClearFrame(tid_, r, components);
  if (run_->machine.Has(VirtualRule::kCpu) && MoveFrame(tid_, components, &r) == FrameMove::kNoRoom) {
    const std::uint64_t none = 0;
    DropAction(SIGSEGV);
    ::ptrace(PTRACE_SETSIGMASK, tid_, sizeof none, &none);
    return SIGSEGV;
  }
  if (masks.now != masks.behind) TryWriteTracee(tid_, r.rsp + kMaskInFrame, &masks.behind, sizeof masks.behind);
  GoTo(&r, r.rip);
  GuestPc back = 0;
  const bool returns = ReadTracee(tid_, r.rsp, &back, sizeof back) == sizeof back && space_->code().IsExecutable(back);
  if (returns) space_->translator().AddBranchTarget(Table::kReturn, back);
  return 0;
}

}  // namespace tally
