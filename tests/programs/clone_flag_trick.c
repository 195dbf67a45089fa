// clone(SIGCHLD, 0, 0x100, 0, 0): a full fork with the bit of CLONE_VM in the third argument, which means
// nothing. The known hole of sio2jail: its filter for "threads only" looked for CLONE_VM in argument 2
// instead of 0. On x86-64 the flags are argument 0 (the order differs between architectures).
// Tally: RV ("clone") with a process limit of 1. With threads permitted it is a process and counts as one.
#include "program.h"

#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>

int main(void) {
  puts("try clone");
  fflush(stdout);
  const long child = syscall(SYS_clone, SIGCHLD, 0, 0x100, 0, 0);
  if (child == 0) _exit(0);
  Report("clone", child < 0 ? -1 : 1);
  if (child > 0) waitpid((pid_t)child, NULL, 0);
  End();
  return 0;
}
