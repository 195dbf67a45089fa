// Sleeps argv[1] seconds (default 50) in nanosleep(2), then prints END. As sleep_forever, but the sleep would
// end by itself: a wall limit above it and no idle limit let it through.
// Tally: TLE (idle or wall); OK when both limits are above argv[1].
#include "program.h"

#include <time.h>

int main(int argc, char** argv) {
  SafetyNet();
  const struct timespec duration = {.tv_sec = Number(argc, argv, 1, 50)};
  nanosleep(&duration, NULL);
  End();
  return 0;
}
