// Forks argv[1] children (default 3) that burn CPU, while the parent sleeps in wait(2): for ever, or argv[2] milliseconds each.
// A parent's own CPU clock stands still then, and it hears of its children's time only when it has waited for
// them; a limit must look at all processes while they run.
// Tally: TLE by CPU time with a process limit above argv[1] (before the wall limit, on two CPUs at half of
// the time); RV ("clone") with a process limit of 1.
#include "program.h"

#include <sys/wait.h>
#include <time.h>

int main(int argc, char** argv) {
  SafetyNet();
  for (long long i = Number(argc, argv, 1, 3); i > 0; --i) {
    const pid_t child = fork();
    if (child == 0) {
      SafetyNet();
      const clock_t end = (clock_t)Number(argc, argv, 2, 0) * (CLOCKS_PER_SEC / 1000);
      for (volatile unsigned long n = 0; argc < 3 || n % 100000 != 0 || clock() < end; ++n) {
      }
      _exit(0);
    }
    if (child < 0) Report("fork", -1);
  }
  while (wait(NULL) > 0) {
  }
  End();
  return 0;
}
