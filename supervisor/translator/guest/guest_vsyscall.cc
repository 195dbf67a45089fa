// Calls into the vsyscall page, at addresses that were fixed when x86-64 was new: gettimeofday, time, getcpu.
//
// The kernel has the page still, but nobody executes it: to jump there faults, and the kernel makes the system call and
// returns for the program (arch/x86/entry/vsyscall/vsyscall_64.c). Here the supervisor does, as the virtual CPU answers
// those calls, also where the kernel has no such page (vsyscall=none). What is counted is the jump that led there and
// one system call; there are no instructions in the page for anybody to execute.
#include <linux/audit.h>
#include <sys/syscall.h>

#include <cerrno>

#include "supervisor/tracing/injection.h"
#include "supervisor/tracing/int_arguments.h"
#include "supervisor/translator/guest/guest.h"

namespace tally {
namespace {

std::optional<long> CallAt(GuestPc pc) {
  switch (pc) {
    case 0xffff'ffff'ff60'0000: return SYS_gettimeofday;
    case 0xffff'ffff'ff60'0400: return SYS_time;
    case 0xffff'ffff'ff60'0800: return SYS_getcpu;
    default: return std::nullopt;
  }
}

}  // namespace

bool Guest::AnswerVsyscall(GuestPc pc, user_regs_struct* r) {
  const std::optional<long> number = CallAt(pc);
  GuestPc back = 0;
  if (!number || ReadTracee(tid_, r->rsp, &back, sizeof back) != sizeof back) return false;
  Set(*r);
  const StoppedCall call = MakeStoppedCall(AUDIT_ARCH_X86_64, static_cast<std::uint64_t>(*number), {r->rdi, r->rsi, r->rdx, r->r10, r->r8, r->r9}, 0);
  const auto outcome = run_->machine.calls().Answer(tid_, call, run_->counts.Instructions(), true);
  if (outcome == VirtualCalls::Outcome::kNotOurs) {
    const Injector injector(tid_, space_->translator().gadget());
    r->rax = static_cast<std::uint64_t>(injector.Call(*number, {r->rdi, r->rsi, r->rdx}));
  } else {
    *r = Get();
  }
  if (static_cast<std::int64_t>(r->rax) == -EFAULT) return false;
  page_.Correct(0, 1);
  r->rsp += 8;
  GoTo(r, back);
  return true;
}

}  // namespace tally
