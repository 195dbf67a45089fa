// The child of a vfork sleeps for ever; the parent is suspended until it execs or exits. The suspended parent
// is in an uninterruptible-looking wait (D, "killable"): only SIGKILL gets through, and a pending SIGALRM
// waits for the child to end. The child arms the safety net for both.
// Tally: TLE (idle or wall) with a process limit of 2 or more; RV ("vfork") with 1.
#include "program.h"

int main(void) {
  const pid_t child = vfork();
  if (child == 0) {
    SafetyNet();
    for (;;) pause();
  }
  End();
  return 0;
}
