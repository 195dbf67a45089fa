// One fork by clone3(2), whose flags lie in memory.
// A seccomp filter sees registers only, so it cannot tell a thread from a new user namespace here: the usual
// answer is ENOSYS, upon which libc falls back to clone, whose flags are in a register.
// Tally: "refused (ENOSYS)", END, OK; nothing was forked. Where it is forbidden instead: RV ("clone3").
#include "program.h"

#include <linux/sched.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>

int main(void) {
  struct clone_args arguments = {.exit_signal = SIGCHLD};
  puts("try clone3");
  fflush(stdout);
  const long child = syscall(SYS_clone3, &arguments, sizeof arguments);
  if (child == 0) _exit(0);
  Report("clone3", child < 0 ? -1 : 1);
  if (child > 0) waitpid((pid_t)child, NULL, 0);
  End();
  return 0;
}
