// Four threads add numbers under a mutex; the main thread joins them and prints the sum. A thread is
// clone(CLONE_THREAD): a task of its own for limits on processes, the same process for wait(2), and its CPU
// time is the process's.
// Tally: OK with a process limit of 5 or more; RV ("clone") with 1; RV or a printed refusal with 2 to 4.
#include "program.h"

#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static long sum;

static void* Add(void* unused) {
  for (int i = 0; i < 1000; ++i) {
    pthread_mutex_lock(&mutex);
    ++sum;
    pthread_mutex_unlock(&mutex);
  }
  return unused;
}

int main(void) {
  pthread_t threads[4];
  for (int i = 0; i < 4; ++i) {
    const int error = pthread_create(&threads[i], NULL, Add, NULL);
    if (error != 0) {
      printf("thread %d: refused (%s)\n", i, strerrorname_np(error));
      return 1;
    }
  }
  for (int i = 0; i < 4; ++i) pthread_join(threads[i], NULL);
  printf("%ld\n", sum);
  End();
  return 0;
}
