// Kills every process it may: kill(-1, SIGKILL). Only as one of the first three of a pid namespace; elsewhere
// it prints REFUSED and does nothing. The kernel goes through all processes visible to the caller except
// itself and pid 1. In a shared pid namespace that is the whole judge.
// Tally: RV ("kill") with a process limit of 1. Where processes are permitted: nobody is there, ESRCH, END,
// OK.
#include "program.h"

#include <signal.h>

int main(void) {
  if (!InPidNamespace()) {
    puts("REFUSED: not in a pid namespace");
  } else {
    TRY("kill -1", kill(-1, SIGKILL));
  }
  End();
  return 0;
}
