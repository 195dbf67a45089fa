// Uses argv[1] milliseconds (default 200) of CPU time, nearly all of it user time, then END.
// CLOCK_PROCESS_CPUTIME_ID counts this process's threads in nanoseconds; reading it is a real system call, so
// it is read every few hundred microseconds only.
// Tally: OK under time limits above the figure, TLE below; time_used is the figure, a millisecond or two
// more.
#include "program.h"

#include <time.h>

static double CpuMilliseconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

int main(int argc, char** argv) {
  const double wanted = (double)Number(argc, argv, 1, 200);
  SafetyNet();
  while (CpuMilliseconds() < wanted) {
    for (volatile int i = 0; i < 200000; ++i) {
    }
  }
  End();
  return 0;
}
