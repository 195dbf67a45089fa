// Sends its parent a harmless signal (SIGCONT) and, in a pid namespace of its own, SIGKILL. A judge that runs
// as the contestant's user and without namespaces can be killed, and a test never judged. The parent here is
// the sandbox's init, to which the kernel delivers no fatal signal from inside.
// Tally: RV ("kill") with a process limit of 1. Where processes are permitted: both calls succeed, nothing
// happens, and the program goes on to END: OK.
#include "program.h"

#include <signal.h>

int main(void) {
  const pid_t parent = getppid() > 0 ? getppid() : 1;
  TRY("kill parent SIGCONT", kill(parent, SIGCONT));
  if (InPidNamespace()) {
    TRY("kill parent SIGKILL", kill(parent, SIGKILL));
  } else {
    puts("REFUSED: not in a pid namespace");
  }
  End();
  return 0;
}
