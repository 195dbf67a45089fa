// Forks one child, waits for it, prints END. With argument "raw" by the old system call fork(2) itself
// instead of clone(SIGCHLD), as glibc does. A process limit by RLIMIT_NPROC counts all processes of the user,
// and not at all for root; only a filter (or a pids cgroup) can say "no children" reliably.
// Tally: RV ("clone" or "fork") with a process limit of 1, OK with 2.
#include "program.h"

#include <sys/syscall.h>
#include <sys/wait.h>

int main(int argc, char** argv) {
  printf("try fork\n");
  fflush(stdout);
  const pid_t child = argc > 1 && strcmp(argv[1], "raw") == 0 ? (pid_t)syscall(SYS_fork) : fork();
  if (child == 0) _exit(0);
  Report("fork", child < 0 ? -1 : 1);
  if (child > 0) waitpid(child, NULL, 0);
  End();
  return 0;
}
