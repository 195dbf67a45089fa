// Threads of which only one runs at any time (each is joined before the next), so that the count is always the same;
// also exits of threads, cancelled ones, and thread-specific destructors.
#include "program.h"

#include <pthread.h>

static pthread_key_t key;
static int destroyed;
static void Destroys(void* value) { destroyed += (int)(long)value; }

static void* Work(void* argument) {
  pthread_setspecific(key, argument);
  if ((long)argument % 2 == 0) pthread_exit((void*)7);
  return argument;
}

int main(void) {
  pthread_key_create(&key, Destroys);
  long sum = 0;
  for (long i = 1; i < 6; ++i) {
    pthread_t thread;
    void* result;
    if (pthread_create(&thread, NULL, Work, (void*)i) != 0) return 2;
    pthread_join(thread, &result);
    sum = sum * 10 + (long)result;
  }
  printf("%ld %d\n", sum, destroyed);
  End();
  return 0;
}
