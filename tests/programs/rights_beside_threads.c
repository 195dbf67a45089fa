// Code that one thread makes writable, changes and makes executable again, while three others call it and handle their faults.
// Kernel: a call into what is not executable at the moment is SIGSEGV (mprotect(2)).
// Tally: OK with a process limit of 4, and whatever was called returned the one value or the other.
#include "program.h"

#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/mman.h>

enum { kFunctions = 8, kApart = 64, kRounds = 100 };

static unsigned char* code;
static volatile int stop;
static __thread sigjmp_buf before;

static void Faulted(int signal) { siglongjmp(before, signal); }

static void* Caller(void* bad) {
  for (long i = 0; !stop; ++i) {
    if (sigsetjmp(before, 1) != 0) continue;
    int (*function)(void) = (int (*)(void))(void*)(code + i % kFunctions * kApart);
    const int result = function();
    if (result != 1000 && result != 2000) return bad;
  }
  return NULL;
}

int main(void) {
  code = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  struct sigaction action = {.sa_handler = Faulted, .sa_flags = SA_NODEFER};
  sigaction(SIGSEGV, &action, NULL);
  pthread_t threads[3];
  for (int round = 0; round < kRounds; ++round) {
    if (mprotect(code, 4096, PROT_READ | PROT_WRITE) != 0) return 1;
    const int value = round % 2 == 0 ? 1000 : 2000;
    for (int i = 0; i < kFunctions; ++i) {  // mov $value, %eax; ret
      code[i * kApart] = 0xb8;
      memcpy(code + i * kApart + 1, &value, sizeof value);
      code[i * kApart + 5] = 0xc3;
    }
    if (mprotect(code, 4096, PROT_READ | PROT_EXEC) != 0) return 1;
    for (int i = 0; round == 0 && i < 3; ++i) pthread_create(&threads[i], NULL, Caller, code);
    for (volatile int i = 0; i < 20000; ++i) {}
  }
  stop = 1;
  for (int i = 0; i < 3; ++i) {
    void* bad = NULL;
    pthread_join(threads[i], &bad);
    if (bad != NULL) return 2;
  }
  End();
  return 0;
}
