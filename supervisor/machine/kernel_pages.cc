#include "supervisor/machine/kernel_pages.h"

#include <sys/ptrace.h>
#include <sys/syscall.h>

#include "supervisor/tracing/injection.h"
#include "supervisor/tracing/tracee.h"

namespace tally {

bool IsKernels(const MapsLine& mapping) { return mapping.name == "[vdso]" || mapping.name.rfind("[vvar", 0) == 0; }

std::vector<KernelPages> FindKernelPages(const std::vector<MapsLine>& maps) {
  std::vector<KernelPages> found;
  for (const MapsLine& mapping : maps) {
    if (!IsKernels(mapping)) continue;
    if (!found.empty() && found.back().end == mapping.begin) {
      found.back().end = mapping.end;
    } else {
      found.push_back({mapping.begin, mapping.end});
    }
  }
  return found;
}

bool GoToFirstInstruction(pid_t tid) {
  if (!ResumeIfStopped(PTRACE_SYSCALL, tid, 0) || !AwaitStop(tid, WaitStatus::Kind::kSyscallStop)) throw TaskIsGone{};
  user_regs_struct registers{};
  if (!Registers(tid, &registers)) throw TaskIsGone{};
  return registers.cs != kCodeSegment32;
}

void UnmapKernelPages(pid_t tid) {
  const std::vector<KernelPages> all = FindKernelPages(MapsOf(tid));
  user_regs_struct registers{};
  if (!Registers(tid, &registers)) throw TaskIsGone{};
  if (all.empty()) return;
  const BorrowedWord call(tid, registers.rip, BorrowedWord::kGadget);
  const Injector injector(tid, registers.rip);
  for (const KernelPages& pages : all) {
    injector.MustCall("munmap the vDSO in the program", SYS_munmap, {pages.begin, pages.end - pages.begin});
  }
}

}  // namespace tally
