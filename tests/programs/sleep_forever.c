// Waits in pause(2), for a signal that never comes.
// A sleeping task uses no CPU time, so no CPU limit ever ends it.
// Tally: TLE, "idle for ..." when the idle limit is the shorter one, else "... of real time".
#include "program.h"

int main(void) {
  SafetyNet();
  for (;;) pause();
}
