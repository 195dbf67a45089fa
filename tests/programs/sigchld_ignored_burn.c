// Ignores SIGCHLD, lets argv[1] children (default 4), one after the other, burn 250 ms of CPU each; then END.
// With SIGCHLD ignored the kernel reaps children by itself and, as POSIX has it, adds their time to nobody:
// RUSAGE_CHILDREN and wait4 of the parent say 0. Only a cgroup, or a look at each exit, knows.
// Tally: TLE when the CPU limit is below argv[1] * 250 ms; with larger limits OK, time_used includes the
// children.
#include "program.h"

#include <signal.h>
#include <sys/wait.h>
#include <time.h>

int main(int argc, char** argv) {
  SafetyNet();
  signal(SIGCHLD, SIG_IGN);
  for (long long i = Number(argc, argv, 1, 4); i > 0; --i) {
    const pid_t child = fork();
    if (child < 0) return 1;
    if (child == 0) {
      while (clock() < CLOCKS_PER_SEC / 4) {
        for (volatile int n = 0; n < 100000; ++n) {
        }
      }
      _exit(0);
    }
    waitpid(child, NULL, 0);  // returns ECHILD when the child is gone
  }
  End();
  return 0;
}
