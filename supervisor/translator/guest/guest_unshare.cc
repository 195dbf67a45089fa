// A process that changes code which it shares with other processes gets a code space of its own first (code_space.h).
//
// Theory of operation. A child of fork has its parent's code at its parent's addresses, so both execute the same
// translations, and nothing is done for a fork but to give the child a counter page. That is right until one of them
// maps, unmaps or changes code. The system call that would do it has stopped, and has not been executed; here it is
// taken back, all tasks of that process move to a copy of the code space in which nothing is translated yet, and the
// call is made again.
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "supervisor/tracing/injection.h"
#include "supervisor/translator/guest/guest.h"
#include "supervisor/translator/guest/guest_start.h"

namespace tally {
bool Guest::ChangesCode(const StoppedCall& call) const {
  const auto& a = call.arguments;
  const GuestCode& code = space_->code();
  const auto is_code = [&](std::uint64_t begin, std::uint64_t size) { return code.Overlaps(begin, begin + WholePages(size)); };
  switch (call.number) {
    case SYS_munmap: return is_code(a[0], a[1]);
    case SYS_mprotect:
    case SYS_pkey_mprotect: return (a[2] & PROT_EXEC) != 0 || is_code(a[0], a[1]);
    case SYS_mmap: return (a[2] & PROT_EXEC) != 0 || ((a[3] & MAP_FIXED) != 0 && is_code(a[0], a[1]));
    case SYS_mremap: return is_code(a[0], a[1]) || ((a[3] & MREMAP_FIXED) != 0 && is_code(a[4], a[2]));
    default: return false;
  }
}

void Guest::UnshareCodeCache(const StoppedCall& call) {
  const GuestPc pc = TakeBackCall(call);
  const std::shared_ptr<CodeSpace> shared = space_;
  const CodeSpace::StoppedWorld stopped_world(shared.get(), this, memory_);
  const std::shared_ptr<CodeSpace> own = TakeOverCopy(shared.get(), tid_, *run_);
  for (Guest* const guest : shared->GuestsIn(memory_)) guest->MoveTo(own);
  user_regs_struct r = Get();
  GoTo(&r, pc);
}

GuestPc Guest::TakeBackCall(const StoppedCall& call) {
  user_regs_struct r = Get();
  r.rip = BehindCall() - kSyscallLength;
  r.rax = call.number;
  r.orig_rax = ~0ULL;
  page_.Correct(-1, -1);
  ReportNotExecuted(1);
  Set(r);
  return r.rip;
}

void Guest::MoveTo(const std::shared_ptr<CodeSpace>& space) {
  Leave();
  page_ = space->Enter(this);
  space_ = space;
  log_ = space_->LogOf(page_);
  run_->counts.Enter(page_);
  page_.SetWord(control::kClockUnusual, 1);  // until its flags are seen
  if (kernel_pc_) return;  // it is in the kernel; PassKernelWait will set what it finds there
  user_regs_struct r = Get();
  r.gs_base = page_.address();
  Set(r);
}

}  // namespace tally
