// Locks a mutex twice: waits in futex(2) for itself.
// The second lock is one system call that sleeps until somebody wakes it; there is nobody. The most usual way
// in which an honest threaded program hangs.
// Tally: TLE (idle or wall), also with a process limit of 1.
#include "program.h"

#include <pthread.h>

int main(void) {
  SafetyNet();
  static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_lock(&mutex);
  pthread_mutex_lock(&mutex);
  End();
  return 0;
}
