#include "supervisor/machine/kernel_pages.h"

#include <asm/prctl.h>
#include <linux/audit.h>
#include <linux/seccomp.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>

#include <cerrno>
#include <cstddef>

#include "supervisor/tracing/filter_words.h"
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

namespace {

constexpr sock_filter kFilter[] = {
    {BPF_LD | BPF_W | BPF_ABS, 0, 0, offsetof(seccomp_data, arch)},
    {BPF_JMP | BPF_JEQ | BPF_K, 0, 6, AUDIT_ARCH_X86_64},
    {BPF_LD | BPF_W | BPF_ABS, 0, 0, offsetof(seccomp_data, nr)},
    {BPF_JMP | BPF_JEQ | BPF_K, 0, 4, SYS_arch_prctl},
    {BPF_LD | BPF_W | BPF_ABS, 0, 0, LowWordOf(0)},
    {BPF_JMP | BPF_JEQ | BPF_K, 3, 0, ARCH_MAP_VDSO_X32},
    {BPF_JMP | BPF_JEQ | BPF_K, 2, 0, ARCH_MAP_VDSO_32},
    {BPF_JMP | BPF_JEQ | BPF_K, 1, 0, ARCH_MAP_VDSO_64},
    {BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW},
    {BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ERRNO | EINVAL},
};

}  // namespace

std::span<const sock_filter> KernelPagesFilter() { return kFilter; }

}  // namespace tally
