// Asks to be traced by its parent (PTRACE_TRACEME), a well-known test for a debugger. A process has one
// tracer: with Tally attached the kernel would say EPERM, without it every later signal of the program would
// stop it and wait for a parent that does not know.
// Tally: RV ("ptrace"). Where the call is let through and succeeds, the SIGCONT after it stops the program:
// TLE.
#include "program.h"

#include <signal.h>
#include <sys/ptrace.h>

int main(int argc, char** argv) {
  (void)argv;
  SafetyNet();
  TRY("ptrace traceme", ptrace(PTRACE_TRACEME, 0, NULL, NULL));
  if (argc > 1) raise(SIGCONT);
  End();
  return 0;
}
