// Handles SIGSEGV by returning, so the faulting instruction is run again, and again.
// The kernel delivers a signal per fault: a loop that is mostly system time and makes no system call but
// rt_sigreturn. The program never dies of the signal, so this is no runtime error.
// Tally: TLE by CPU time (or wall); not RE.
#include "program.h"

#include <signal.h>

static void OnFault(int sig) { (void)sig; }

int main(void) {
  SafetyNet();
  signal(SIGSEGV, OnFault);
  *(volatile int*)8 = 1;
  End();
  return 0;
}
