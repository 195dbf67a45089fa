// Executes itself argv[1] times (default 10), each time after burning argv[2] ms (default 20); the last says
// END. CPU time, limits and signals ignored go on over execve; mappings, handlers, timers by clock id and
// VmPeak start anew; each one is another event for a tracer, and another chance to lose a figure.
// Tally: OK with the processes permission (RV, "execve", without), TLE when the sum passes the limit.
#include "program.h"

#include <time.h>

int main(int argc, char** argv) {
  const long long left = Number(argc, argv, 1, 10);
  char count[32], ms[32];
  SafetyNet();
  const clock_t begin = clock();
  while (clock() - begin < Number(argc, argv, 2, 20) * (CLOCKS_PER_SEC / 1000)) {
    for (volatile int i = 0; i < 100000; ++i) {
    }
  }
  if (left > 0) {
    snprintf(count, sizeof count, "%lld", left - 1);
    snprintf(ms, sizeof ms, "%lld", Number(argc, argv, 2, 20));
    char* arguments[] = {argv[0], count, ms, NULL};
    char* environment[] = {NULL};
    execve("/proc/self/exe", arguments, environment);
    execve(argv[0], arguments, environment);
    Report("execve", -1);
    return 1;
  }
  End();
  return 0;
}
