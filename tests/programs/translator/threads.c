// Threads: each runs the same code at the same time, with its own counters, stacks and thread-local variables, under
// a mutex and without.
#include "program.h"

#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static long total, atomic_total;
static __thread long own;

static void* Work(void* argument) {
  const long number = (long)argument;
  for (long i = 0; i < 50; ++i) {
    own += i * number;
    __atomic_add_fetch(&atomic_total, i, __ATOMIC_SEQ_CST);
    if (i % 10 == 0) {
      pthread_mutex_lock(&mutex);
      total += own;
      pthread_mutex_unlock(&mutex);
    }
  }
  return (void*)own;
}

int main(void) {
  pthread_t threads[4];
  long sum = 0;
  for (long i = 0; i < 4; ++i) {
    if (pthread_create(&threads[i], NULL, Work, (void*)(i + 1)) != 0) return 2;
  }
  for (int i = 0; i < 4; ++i) {
    void* result;
    pthread_join(threads[i], &result);
    sum += (long)result;
  }
  printf("%ld %ld %ld %ld\n", sum, total, atomic_total, own);
  End();
  return 0;
}
