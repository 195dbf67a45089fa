// Instructions that are executed outside of the flow of translated code, one at a time: those through gs or about it, far
// jumps, calls and returns, xrstor (Flow::kSingleStep), and those after which something is to be corrected (Flow::kSavesX87).
//
// Theory of operation. In the processor gs is ours (control_area.h); the task's own, a selector and a base, is kept
// here. Behind the trap of such an instruction stands a copy of it. The task gets its own gs, steps over that copy, and
// what it left in gs is its own again. So the processor does what it does, faults too. Where it went by that, it is at
// a guest address, and stands before the first instruction there; a call has pushed the copy's address, which is made
// the program's.
#include <asm/prctl.h>
#include <fmt/format.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <vector>

#include "base/error.h"
#include "base/sys.h"
#include "supervisor/machine/processor_state.h"
#include "supervisor/tracing/injection.h"
#include "supervisor/translator/guest/guest.h"

namespace tally {
namespace {

constexpr std::uint64_t kEndOfTask = 0x7fff'ffff'f000;  // TASK_SIZE_MAX with 47 bits (arch/x86/include/asm/page_64.h)

// call m16:64 and its kin (ff /3), and a call through gs (ff /2).
bool IsCall(const Instruction& i) {
  if (i.modrm_at == 0 || i.bytes[i.modrm_at - 1U] != 0xff) return false;
  const unsigned reg = i.bytes[i.modrm_at] >> 3 & 7;
  return reg == 2 || reg == 3;
}
bool IsFarCall(const Instruction& i) { return IsCall(i) && (i.bytes[i.modrm_at] >> 3 & 1) != 0; }

}  // namespace

void Guest::SingleStep(const Instruction& instruction, HostPc copy, user_regs_struct* r) {
  const GuestPc pc = instruction.pc;
  const std::uint64_t stack = r->rsp;
  r->rip = copy;
  r->gs = segment_.selector;
  r->gs_base = segment_.base;
  const bool refused = IsRefusedRestore(tid_, instruction, *r, run_->machine.state_components());
  const StateMask mask(instruction, r, run_->machine.state_components());
  Set(*r);
  const user_regs_struct before = *r;
  if (refused) *space_->cache().Ours(copy) = kHalt;  // nobody comes here but by this function
  const std::optional<WaitStatus> status = StepFrom(copy);
  if (refused) *space_->cache().Ours(copy) = instruction.bytes[0];

  *r = Get();
  mask.PutBack(r);
  const bool done = r->rip != copy;
  if (done) segment_ = {r->gs_base, static_cast<std::uint16_t>(r->gs)};
  r->gs = 0;
  r->gs_base = page_.address();
  if (!done && !status) {  // it goes on where it is
    GoTo(r, pc);
    return;
  }
  if (!done) {  // it faults, at the program's address
    ReportNotExecuted(1);
    r->rip = pc;
    Set(*r);
    other_stop_ = status;
    return;
  }
  page_.Correct(1, 0);
  SeeFlags(*r);
  if (r->cs != kCodeSegment) {
    run_->violation = "counter=translator does not run 32-bit code";
    throw TaskIsGone{};
  }
  const GuestPc next = instruction.next();
  if (instruction.saves_x87) ForgetX87Pointers(tid_, instruction, before);
  if (IsCall(instruction)) {
    PushedReturnAddress(instruction, stack - r->rsp, r->rsp);
    if (space_->code().IsExecutable(next) && !space_->MustForget()) space_->translator().AddBranchTarget(Table::kReturn, next);
  }
  GoTo(r, r->rip == copy + instruction.length ? next : r->rip);
}

// Are there flags that clock_code.h knows nothing of? All but the status flags, interrupts, and the direction.
void Guest::SeeFlags(const user_regs_struct& r) const {
  constexpr std::uint64_t kKnown = 0x8d5 | 1 << 1 | 1 << 9 | 1 << 10 | 1 << 16;  // and what a fault leaves (RF)
  page_.SetWord(control::kClockUnusual, (r.eflags & ~kKnown) != 0 ? 1 : 0);
}

void Guest::SeeFlagsOfQuestion() const {
  if (page_.Word(control::kClockUnusual) != 0) SeeFlags(Get());
}

// The call pushed the address behind its copy, and a far one its code segment above that: of 2, 4 or 8 bytes each.
void Guest::PushedReturnAddress(const Instruction& call, std::uint64_t pushed, GuestPc at) {
  const GuestPc next = call.next();
  const std::uint64_t size = IsFarCall(call) ? pushed / 2 : pushed;
  if (size <= sizeof next && TryWriteTracee(tid_, at, &next, size) == size) return;
  run_->violation = fmt::format("counter=translator cannot execute the call at {:#x}: its stack changed meanwhile", call.pc);
  throw TaskIsGone{};
}

// Until the instruction at `copy`, which may be repeated, is done or faults. Other signals wait.
std::optional<WaitStatus> Guest::StepFrom(HostPc copy) {
  const SignalsHeld held(tid_);
  std::vector<int> late;  // that cannot be held
  for (;;) {
    const std::optional<WaitStatus> status = RunToStop(PTRACE_SINGLESTEP, tid_, 0, WaitStatus::Kind::kSignalStop);
    if (!status) throw TaskIsGone{};
    const bool ours = IsFromTheProcessor(status->signal(), SignalInfo().si_code);
    if (!ours) late.push_back(status->signal());
    const bool repeats = !ours || (status->signal() == SIGTRAP && Get().rip == copy);
    if (repeats && sys::MonotonicNow() < run_->return_by) continue;
    for (const int signal : late) ::syscall(SYS_tkill, tid_, signal);
    return repeats ? std::nullopt : status;
  }
}

// arch_prctl(ARCH_SET_GS) and ARCH_GET_GS, as in the kernel (arch/x86/kernel/process_64.c, do_arch_prctl_64).
void Guest::AnswerAboutGs(const StoppedCall& call) {
  const std::uint64_t argument = call.arguments[1];
  std::int64_t result = 0;
  if (Int32(call.arguments[0]) == ARCH_GET_GS) {
    const bool written = TryWriteTracee(tid_, argument, &segment_.base, sizeof segment_.base) == sizeof segment_.base;
    result = written ? 0 : -EFAULT;
  } else if (argument >= kEndOfTask) {
    result = -EPERM;
  } else {
    segment_ = {argument, 0};
  }
  if (!AnswerCall(tid_, result)) throw TaskIsGone{};
}

}  // namespace tally
