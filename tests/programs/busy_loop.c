// Loops for ever in user mode without a system call.
// Nothing the program does wakes the kernel; only a timer on its CPU clock (or the counter) can end it.
// Tally: TLE under a user time, CPU time, wall time or instruction limit; the overshoot is at most 10 ms.
#include "program.h"

int main(void) {
  SafetyNet();
  for (volatile unsigned long i = 0;; ++i) {
  }
}
