// Stops itself with SIGSTOP and would print END when somebody continued it.
// A stopped task is not ended, and waitpid without WUNTRACED does not report it. Its pending SIGALRM waits
// with it, so the safety net works only after SIGCONT: bare, run it under timeout(1), which sends that too.
// Tally: TLE (idle or wall), never a hang; the stop is the program's own and nobody continues it.
#include "program.h"

#include <signal.h>

int main(void) {
  SafetyNet();
  raise(SIGSTOP);
  End();
  return 0;
}
