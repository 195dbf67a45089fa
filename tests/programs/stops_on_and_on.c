// Starts argv[1] threads (default 3) that make system calls on and on, each of which stops it where they are counted by
// stops (and each instruction does where those are). The main thread, older than them, makes argv[2] calls (default 100)
// and waits for a child that ends at once.
// Tally: OK with a process limit of argv[1] + 2: nobody's stops hold back what happens to another.
#define _GNU_SOURCE
#include "program.h"

#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile int ready;

static void* Call(void* unused) {
  __atomic_add_fetch(&ready, 1, __ATOMIC_SEQ_CST);
  for (;;) getppid();
  return unused;
}

int main(int argc, char** argv) {
  SafetyNet();
  const int threads = (int)Number(argc, argv, 1, 3);
  for (int i = 0; i < threads; ++i) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, Call, NULL) != 0) return 1;
  }
  while (ready < threads) getppid();
  for (long long i = Number(argc, argv, 2, 100); i > 0; --i) getppid();
  const pid_t child = fork();
  if (child == 0) _exit(7);
  int status = 0;
  if (waitpid(child, &status, 0) != child || WEXITSTATUS(status) != 7) return 2;
  End();
  return 0;
}
