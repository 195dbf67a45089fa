// One thread writes, executes and rewrites code, so that translations are forgotten again and again, while others
// compute, wait for a lock, sleep in the kernel and are signalled.
#define _GNU_SOURCE
#include "program.h"

#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static volatile int stop;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int sleep_pipe[2];
static volatile long handled;

static void OnSignal(int signal) {
  (void)signal;
  __atomic_add_fetch(&handled, 1, __ATOMIC_SEQ_CST);
}

// Deterministic in its result, whatever is halted in between.
static void* Compute(void* argument) {
  unsigned long x = (unsigned long)argument;
  while (!stop) {
    unsigned long y = 1;
    for (int i = 0; i < 1000; ++i) y = y * 6364136223846793005UL + 1442695040888963407UL;
    if (y != 0x5c6a25b8fe8c5e41UL) {
      if (x < 100) x = y;  // remembered, and compared below: all rounds agree
      if (x != y) return (void*)1;
    }
  }
  return (void*)0;
}

static void* Lock(void* argument) {
  (void)argument;
  while (!stop) {
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
  }
  return (void*)0;
}

static void* Wait(void* argument) {
  (void)argument;
  char byte = 0;
  ssize_t n = read(sleep_pipe[0], &byte, 1);  // restarted after each halt and each signal
  return (void*)(long)(n != 1 || byte != 'x');
}

int main(void) {
  if (pipe(sleep_pipe) != 0) return 2;
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = OnSignal;
  action.sa_flags = SA_RESTART;
  sigaction(SIGUSR1, &action, NULL);
  pthread_t threads[4];
  pthread_create(&threads[0], NULL, Compute, (void*)1);
  pthread_create(&threads[1], NULL, Lock, NULL);
  pthread_create(&threads[2], NULL, Wait, NULL);
  pthread_create(&threads[3], NULL, Lock, NULL);

  unsigned char* code = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  long sum = 0;
  int sent = 0;
  for (int i = 0; i < 100; ++i) {
    const unsigned char body[] = {0xb8, (unsigned char)i, 0, 0, 0, 0xc3};  // mov $i, %eax; ret
    memcpy(code, body, sizeof body);
    sum += ((int (*)(void))code)();
    pthread_kill(threads[i % 4], SIGUSR1);
    ++sent;
  }
  stop = 1;
  if (write(sleep_pipe[1], "x", 1) != 1) return 3;
  long wrong = 0;
  for (int i = 0; i < 4; ++i) {
    void* result;
    pthread_join(threads[i], &result);
    wrong += (long)result;
  }
  printf("%ld wrong, sum %ld, signals %s\n", wrong, sum, handled > 0 && handled <= sent ? "handled" : "lost");
  End();
  return 0;
}
