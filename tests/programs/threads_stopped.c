// Threads that write functions anew, make pages executable and start others, while their parent stops and continues all
// of them, thousands of times (SIGSTOP, SIGCONT): a stop may come to a thread that is being halted, or while something is
// done in it. Every other stop is waited for.
// Tally: OK; translated, no stop is lost, and nobody waits for ever for a thread that stands still already.
#define _GNU_SOURCE
#include "program.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>

enum { kThreads = 2, kRounds = 100, kStops = 2000, kDistance = 256, kPage = 4096 };

static unsigned char* code;

static int Made(unsigned char* function, int value) {
  unsigned char body[] = {0xb8, 0, 0, 0, 0, 0xc3};  // mov $value, %eax; ret
  memcpy(body + 1, &value, sizeof value);
  memcpy(function, body, sizeof body);
  return ((int (*)(void))function)();
}

static void* Nothing(void* argument) { return argument; }

static void* Work(void* argument) {
  const int thread = (int)(long)argument;
  long wrong = 0;
  for (int i = 0; i < kRounds; ++i) {
    wrong += Made(code + thread * kDistance, thread << 16 | i) != (thread << 16 | i);
    unsigned char* page = mmap(NULL, kPage, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (page == MAP_FAILED) return (void*)-1;
    wrong += Made(page, i) != i;
    munmap(page, kPage);
    pthread_t other;
    if (pthread_create(&other, NULL, Nothing, NULL) != 0) return (void*)-1;
    pthread_join(other, NULL);
  }
  return (void*)wrong;
}

static int Child(void) {
  code = mmap(NULL, kPage, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (code == MAP_FAILED) return 2;
  pthread_t threads[kThreads];
  for (long i = 0; i < kThreads; ++i) pthread_create(&threads[i], NULL, Work, (void*)i);
  long wrong = 0;
  for (int i = 0; i < kThreads; ++i) {
    void* result;
    pthread_join(threads[i], &result);
    wrong += (long)result;
  }
  return wrong == 0 ? 0 : 1;
}

int main(void) {
  const pid_t child = fork();
  if (child < 0) return 2;
  if (child == 0) _exit(Child());
  int status = 0;
  int ended = 0;
  for (int i = 0; i < kStops && !ended; ++i) {
    if (kill(child, SIGSTOP) != 0) return 3;
    if (i % 2 == 0) ended = waitpid(child, &status, WUNTRACED) == child && !WIFSTOPPED(status);
    if (kill(child, SIGCONT) != 0 && !ended) return 3;
    sched_yield();
  }
  if (!ended) waitpid(child, &status, 0);
  printf("the child's status: %d\n", status);
  End();
  return 0;
}
