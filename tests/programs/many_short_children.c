// For ever: forks a child that burns 20 ms of CPU and exits, and waits for it.
// No process lives long enough to reach a limit; only the sum over dead children grows (RUSAGE_CHILDREN).
// Tally: TLE by CPU time with a process limit of 2 or more; RV ("clone") with 1.
#include "program.h"

#include <sys/wait.h>
#include <time.h>

int main(void) {
  SafetyNet();
  for (;;) {
    const pid_t child = fork();
    if (child == 0) {
      while (clock() < CLOCKS_PER_SEC / 50) {
        for (volatile int i = 0; i < 100000; ++i) {
        }
      }
      _exit(0);
    }
    if (child < 0) return 1;
    waitpid(child, NULL, 0);
  }
}
