// A hundred threads one after the other, and eight at a time: counter pages are used again.
#include "program.h"

#include <pthread.h>

static long total;

static void* Work(void* argument) {
  __atomic_add_fetch(&total, (long)argument, __ATOMIC_SEQ_CST);
  return argument;
}

int main(void) {
  pthread_t threads[8];
  for (long i = 0; i < 100; ++i) {
    pthread_create(&threads[0], NULL, Work, (void*)i);
    pthread_join(threads[0], NULL);
  }
  for (int round = 0; round < 10; ++round) {
    for (long i = 0; i < 8; ++i) pthread_create(&threads[i], NULL, Work, (void*)(i * 1000));
    for (int i = 0; i < 8; ++i) pthread_join(threads[i], NULL);
  }
  printf("%ld\n", total);
  End();
  return 0;
}
