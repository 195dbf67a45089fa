// Burns argv[1] milliseconds of CPU (default 300), then sleeps for ever.
// With most of a CPU limit used up and then none, only the idle or the wall limit can end it.
// Tally: TLE by idle time when argv[1] is below the CPU limits; time_used is argv[1] and not the wall time.
#include "program.h"

#include <time.h>

int main(int argc, char** argv) {
  const long long ms = Number(argc, argv, 1, 300);
  SafetyNet();
  while (clock() < ms * (CLOCKS_PER_SEC / 1000)) {
    for (volatile int i = 0; i < 100000; ++i) {
    }
  }
  for (;;) pause();
}
