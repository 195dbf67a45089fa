// For ever: sleeps one millisecond, computes for some microseconds. Its CPU time advances a little all the
// time, so it is never idle for long, yet it takes minutes of wall time for a second of CPU time.
// Tally: TLE by the wall limit; not by idle time, unless "idle" asks for more progress than that.
#include "program.h"

#include <time.h>

int main(void) {
  SafetyNet();
  const struct timespec slice = {.tv_nsec = 1000000};
  for (;;) {
    nanosleep(&slice, NULL);
    for (volatile int i = 0; i < 20000; ++i) {
    }
  }
}
