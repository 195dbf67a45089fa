// A second thread dies of SIGSEGV while the main thread sleeps.
// A fatal signal ends the whole process, not the thread; the wait status is that of the signal.
// Tally: RE (signal 11) with a process limit of 2 or more; RV ("clone") with 1.
#include "program.h"

#include <pthread.h>

static void* Crash(void* unused) {
  *(volatile int*)8 = 1;
  return unused;
}

int main(void) {
  pthread_t thread;
  SafetyNet();
  if (pthread_create(&thread, NULL, Crash, NULL) != 0) return 1;
  for (;;) pause();
}
