// Sleeps argv[1] milliseconds (default 300) and ends: an interactive or polite program.
// A sleeping task uses no CPU time; only wall time and idle time pass.
// Tally: OK while the sleep is shorter than the idle limit (default 2 s) and the wall limit, else TLE.
#include "program.h"

#include <time.h>

int main(int argc, char** argv) {
  const long long ms = Number(argc, argv, 1, 300);
  const struct timespec duration = {.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000};
  nanosleep(&duration, NULL);
  End();
  return 0;
}
