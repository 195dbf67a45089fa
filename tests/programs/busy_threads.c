// Starts argv[1] threads (default 4) that burn CPU for ever; the main thread waits for them.
// The process's CPU clock is the sum over its threads: on two CPUs it runs twice as fast as the wall clock.
// Tally: TLE by user time with a process limit of argv[1] + 1; RV ("clone") with 1.
#include "program.h"

#include <pthread.h>

static void* Burn(void* unused) {
  for (volatile unsigned long i = 0;; ++i) {
  }
  return unused;
}

int main(int argc, char** argv) {
  SafetyNet();
  pthread_t thread;
  for (long long i = Number(argc, argv, 1, 4); i > 0; --i) {
    if (pthread_create(&thread, NULL, Burn, NULL) != 0) return 1;
  }
  pthread_join(thread, NULL);
  End();
  return 0;
}
