// Makes system calls by a number that is not in front of them (libc's syscall()), as soon as there is another thread, or a timer.
// Kernel: the number is in a register; what it says is known only when the call is made.
// Tally: OK with a process limit of 2, with every engine: each answers as libc's own functions do.
#include "program.h"

#include <pthread.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>

static void* Ask(void* who) {
  long wrong = 0;
  struct timespec now;
  struct timeval day;
  struct rusage usage;
  for (int i = 0; i < 1000; ++i) {
    wrong += syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &now) != 0;
    wrong += syscall(SYS_gettimeofday, &day, NULL) != 0;
    wrong += syscall(SYS_getrusage, RUSAGE_SELF, &usage) != 0;
    wrong += syscall(SYS_getcpu, NULL, NULL, NULL) != 0;
    wrong += syscall(SYS_time, NULL) < 1000000000;
    wrong += syscall(SYS_getuid) != getuid();
  }
  printf("%s: %ld wrong\n", (const char*)who, wrong);
  return NULL;
}

int main(int argc, char** argv) {
  if (argc > 1 && strcmp(argv[1], "timer") == 0) {
    alarm(50);
    Ask("a timer");
  } else {
    pthread_t thread;
    pthread_create(&thread, NULL, Ask, "thread");
    pthread_join(thread, NULL);
    Ask("main");
  }
  End();
  return 0;
}
