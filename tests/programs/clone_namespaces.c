// Forks into new user, pid, mount and network namespaces by clone(2). A new user namespace gives its first
// process every capability in it, and with them a large part of the kernel that is otherwise out of reach.
// Permission to fork must not be permission for this.
// Tally: RV ("clone"), whatever the process limit.
#include "program.h"

#include <sched.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>

int main(void) {
  puts("try clone");
  fflush(stdout);
  const long flags = CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNS | CLONE_NEWNET | SIGCHLD;
  const long child = syscall(SYS_clone, flags, 0, 0, 0, 0);
  if (child == 0) _exit(0);
  Report("clone", child < 0 ? -1 : 1);
  if (child > 0) waitpid((pid_t)child, NULL, 0);
  End();
  return 0;
}
