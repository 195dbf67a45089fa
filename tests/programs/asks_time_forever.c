// Asks for the time, again and again, and does nothing else.
// Tally: TLE by whichever of its limits on time or instructions it has.
#include "program.h"

#include <sys/syscall.h>
#include <time.h>

int main(void) {
  SafetyNet();
  struct timespec now;
  for (;;) syscall(SYS_clock_gettime, CLOCK_REALTIME, &now);
}
