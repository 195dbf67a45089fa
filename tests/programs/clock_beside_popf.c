// Asks for the time thousands of times beside another thread, and has code with popf that is translated, but never executed.
// Kernel: popf can set flags that a question about the time, answered in the program, would not bring back.
// Tally: OK with a process limit of 2; counted by translator the same figures whether translations are kept or not.
#include "program.h"

#include <pthread.h>
#include <time.h>

static volatile int never;
static volatile unsigned long race = 1;

static void* Other(void* unused) {
  for (int i = 0; i < 3000; ++i) race = race * 3 + 1;
  return unused;
}

__attribute__((noinline)) static void Maybe(int n) {
  if (__builtin_expect(n, 0)) __asm__ volatile("pushf\n\tpopf" : : : "cc", "memory");
  race += (unsigned long)n;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, Other, NULL);
  void (*volatile maybe)(int) = Maybe;
  maybe(never);
  struct timespec now;
  for (int i = 0; i < 3000; ++i) {
    clock_gettime(CLOCK_MONOTONIC, &now);
    race = race * 5 + 2;
    if (i % 1000 == 0) printf("%ld.%09ld\n", (long)now.tv_sec, now.tv_nsec);
  }
  pthread_join(thread, NULL);
  printf("%lx\n", race);
  End();
  return 0;
}
