#include "supervisor/machine/kernel_pages.h"

#include <fmt/format.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>

#include <cstdio>
#include <sstream>

#include "base/sys.h"
#include "supervisor/tracee.h"
#include "supervisor/translator/injection.h"

namespace tally {

std::optional<KernelPages> FindKernelPages(const std::string& maps) {
  std::optional<KernelPages> found;
  std::istringstream lines(maps);
  for (std::string line; std::getline(lines, line);) {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
    const bool ours = line.find(" [vvar") != std::string::npos || line.find(" [vdso]") != std::string::npos;
    if (!ours || std::sscanf(line.c_str(), "%lx-%lx", &begin, &end) != 2) continue;
    if (found && found->end != begin) return std::nullopt;  // not as any kernel does it
    found = KernelPages{found ? found->begin : begin, end};
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
  const auto pages = FindKernelPages(sys::TryReadFile(fmt::format("/proc/{}/maps", tid)).value_or(""));
  user_regs_struct registers{};
  if (!Registers(tid, &registers)) throw TaskIsGone{};
  if (!pages) return;
  const BorrowedWord call(tid, registers.rip, BorrowedWord::kGadget);
  Injector(tid, registers.rip).MustCall("munmap the vDSO in the program", SYS_munmap, {pages->begin, pages->end - pages->begin});
}

}  // namespace tally
