// Threads that each write a function anew before they call it, all in the same page: while one is being allowed to write,
// another may write already, and is to execute what it wrote.
#define _GNU_SOURCE
#include "program.h"

#include <pthread.h>
#include <string.h>
#include <sys/mman.h>

enum { kThreads = 3, kRounds = 400, kDistance = 256 };

static unsigned char* code;

static void* Rewrite(void* argument) {
  const int thread = (int)(long)argument;
  unsigned char* const function = code + thread * kDistance;
  long wrong = 0;
  for (int i = 0; i < kRounds; ++i) {
    const int value = thread << 16 | i;
    unsigned char body[] = {0xb8, 0, 0, 0, 0, 0xc3};  // mov $value, %eax; ret
    memcpy(body + 1, &value, sizeof value);
    memcpy(function, body, sizeof body);
    wrong += ((int (*)(void))function)() != value;
  }
  return (void*)wrong;
}

int main(void) {
  code = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (code == MAP_FAILED) return 2;
  pthread_t threads[kThreads];
  for (long i = 0; i < kThreads; ++i) pthread_create(&threads[i], NULL, Rewrite, (void*)i);
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
