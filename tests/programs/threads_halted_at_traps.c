// Threads that come to code which is not translated yet, all the time, because another one unmaps code and so has all
// translations forgotten. As they keep the processors busy, they are often sent away from theirs between an instruction of
// the translator's that traps and the stop it leads to, and are to be halted there.
// Tally: OK; translated, no thread finds itself anywhere else.
#define _GNU_SOURCE
#include "program.h"

#include <pthread.h>
#include <sys/mman.h>

enum { kThreads = 3, kForgotten = 2000 };

static volatile int stop, forgotten;

// Functions whose addresses are only known when they are called.
#define ONE(n) \
  static __attribute__((noinline)) unsigned long Add##n(unsigned long x) { return x * 3 + n; }
#define FOUR(n) ONE(n##0) ONE(n##1) ONE(n##2) ONE(n##3)
#define NAMES(n) Add##n##0, Add##n##1, Add##n##2, Add##n##3
FOUR(1) FOUR(2) FOUR(3) FOUR(4) FOUR(5) FOUR(6) FOUR(7) FOUR(8)
static unsigned long (*const functions[])(unsigned long) = {NAMES(1), NAMES(2), NAMES(3), NAMES(4),
                                                            NAMES(5), NAMES(6), NAMES(7), NAMES(8)};

static void* Call(void* expected) {
  while (!stop) {
    const int before = forgotten;
    unsigned long x = 1;
    for (size_t i = 0; i < sizeof functions / sizeof *functions; ++i) x = functions[i](x);
    if (x != (unsigned long)expected) return (void*)1;
    while (forgotten == before && !stop) continue;
  }
  return NULL;
}

int main(void) {
  unsigned long expected = 1;
  for (size_t i = 0; i < sizeof functions / sizeof *functions; ++i) expected = functions[i](expected);
  pthread_t threads[kThreads];
  for (int i = 0; i < kThreads; ++i) pthread_create(&threads[i], NULL, Call, (void*)expected);
  for (; forgotten < kForgotten; ++forgotten) {
    void* code = mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (code == MAP_FAILED || munmap(code, 4096) != 0) return 2;
  }
  stop = 1;
  long wrong = 0;
  for (int i = 0; i < kThreads; ++i) {
    void* result;
    pthread_join(threads[i], &result);
    wrong += (long)result;
  }
  printf("%ld wrong\n", wrong);
  End();
  return 0;
}
