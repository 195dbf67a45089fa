// Gives the CPU away with sched_yield(2) for ever.
// Alone on a CPU it gets it straight back: half user, half system time. On a busy machine it runs little, and
// tick-based accounting could miss it altogether; the scheduler's own clock does not.
// Tally: TLE by CPU time or wall time.
#include "program.h"

#include <sched.h>

int main(void) {
  SafetyNet();
  for (;;) sched_yield();
}
