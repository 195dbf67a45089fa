// The main thread ends first (pthread_exit); another thread goes on, prints END and ends the process. The
// process lives on with a dead leader: its /proc/PID/stat says Z, its pid still answers, and ptrace reports
// the leader's exit only after all the other threads. A watcher that looks at the leader alone is misled.
// Tally: OK with a process limit of 2 or more; exit code 0, CPU time of the second thread counted.
#include "program.h"

#include <pthread.h>

static void* Rest(void* unused) {
  for (volatile long i = 0; i < 100000000; ++i) {
  }
  End();
  exit(0);
  return unused;
}

int main(void) {
  pthread_t thread;
  if (pthread_create(&thread, NULL, Rest, NULL) != 0) return 1;
  pthread_exit(NULL);
}
