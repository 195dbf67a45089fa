// Leaves a grandchild behind that has another parent (double fork), ignores SIGHUP and SIGTERM and loops;
// says END and exits. An orphan is adopted by init or the nearest subreaper and has no relation to the
// program any more; only the pid namespace, or the cgroup, still knows that it belongs to the run.
// Tally: OK, at once, with a process limit of 3 or more; the orphan is dead when the result is there.
#include "program.h"

#include <signal.h>
#include <sys/wait.h>

int main(void) {
  const pid_t child = fork();
  if (child < 0) return 1;
  if (child == 0) {
    if (fork() == 0) {
      SafetyNet();
      signal(SIGHUP, SIG_IGN);
      signal(SIGTERM, SIG_IGN);
      for (int fd = 0; fd < 3; ++fd) close(fd);
      for (volatile unsigned long i = 0;; ++i) {
      }
    }
    _exit(0);
  }
  waitpid(child, NULL, 0);
  End();
  return 0;
}
