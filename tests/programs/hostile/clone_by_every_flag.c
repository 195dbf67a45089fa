// Tries: every flag of clone(2) alone, in all registers and with more bits than it has: namespaces, tracing, a process id
//   descriptor, a thread without what a thread needs, an exit signal that is none.
// Kernel: clone(2) has 24 flags, and which of them go together is decided call by call (kernel/fork.c, copy_process).
// Stopped by: flags of namespaces and tracing are rule violations; a child by any other is a task of the run.
//   Translation does not run processes that share descriptors and not memory, and says so.
// Run: processes=4 -- 0 23 => OK
// Run: only=native processes=4 -- 10 11 => OK
// Run: only=translated processes=4 -- 10 11 => RV
// Run: processes=4 -- 23 24 => RV
// Run: processes=4 -- 13 14 => RV
// Run: processes=4 -- 17 18 => RV
// Run: processes=4 -- 25 26 => RV
// Run: processes=4 -- 26 27 => RV
// Run: processes=4 -- 27 28 => RV
// Run: processes=4 -- 28 29 => RV
// Run: processes=4 -- 29 30 => RV
// Run: processes=4 -- 30 31 => RV
// Run: processes=4 -- 31 64 => OK
// Run: processes=4 -- 200 201 => OK
#define _GNU_SOURCE
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char** argv) {
  if (argc < 3) return 1;
  const int first = atoi(argv[1]), last = atoi(argv[2]);
  const unsigned long all = ~0UL;
  syscall(SYS_rt_sigprocmask, SIG_BLOCK, &all, NULL, 8);  // what a child sends at its end
  for (int bit = first; bit < last; ++bit) {
    if (bit >= 200) {  // clone3(2) with flags that only it has, and a size it does not know
      unsigned long args[32] = {CLONE_NEWTIME | 0x100000000UL | 0x200000000UL};
      for (long size = 0; size <= 256; size += 64) syscall(SYS_clone3, args, size);
      continue;
    }
    const unsigned long flag = 1UL << bit;
    const int skips = last - first > 1 && bit < 31 && (flag & (CLONE_PTRACE | CLONE_NEWNS | CLONE_FILES | CLONE_VM | CLONE_VFORK | CLONE_SETTLS)) != 0;
    if (skips) continue;
    static int cells[4];
    const long child = syscall(SYS_clone, flag | (bit < 8 ? 0 : SIGCHLD), 0, &cells[0], &cells[1], 0x1000);
    if (child == 0) _exit(0);
    if (child > 0) waitpid((pid_t)child, NULL, __WALL);
  }
  return 0;
}
