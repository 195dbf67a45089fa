// Starts one thread by the bare clone(2), with the flags of pthread_create, and waits for its number.
// CLONE_THREAD shares everything with the caller; for a filter the only difference from a fork is in the
// flags.
// Tally: RV ("clone") with a process limit of 1, OK with 2.
#include "program.h"

#include <sched.h>

static volatile int number;

static int Thread(void* unused) {
  (void)unused;
  number = 42;
  for (;;) syscall(60 /* exit, of this thread only */, 0);
}

int main(void) {
  static char stack[65536] __attribute__((aligned(16)));
  SafetyNet();
  puts("try clone");
  fflush(stdout);
  const int thread =
      clone(Thread, stack + sizeof stack,
            CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM, NULL);
  Report("clone", thread < 0 ? -1 : 1);
  while (thread > 0 && number != 42) sched_yield();
  End();
  return 0;
}
