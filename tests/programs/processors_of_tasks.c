// Starts a thread, then a child, in the midst of code that was never executed before, and prints on how many processors
// each may run, as /proc says: the kernel hands on a task's own to those that it makes (sched_setaffinity(2)).
// Tally: OK with a process limit of 2 and a sandbox with /proc; both may run on all.
#include "program.h"

#include <pthread.h>
#include <sys/wait.h>

static void PrintProcessors(const char* whose) {
  FILE* status = fopen("/proc/thread-self/status", "r");
  char line[256];
  while (status != NULL && fgets(line, sizeof line, status) != NULL) {
    if (strncmp(line, "Cpus_allowed:", 13) != 0) continue;
    int count = 0;
    for (const char* digit = line + 13; *digit != '\0'; ++digit) {
      const char text[2] = {*digit, '\0'};
      count += __builtin_popcountl(strtoul(text, NULL, 16));
    }
    printf("%s %d\n", whose, count);
  }
  fflush(stdout);
}

static void* Thread(void* unused) {
  PrintProcessors("thread");
  return unused;
}

int main(void) {
  pthread_t thread;
  if (pthread_create(&thread, NULL, Thread, NULL) != 0 || pthread_join(thread, NULL) != 0) return 1;
  const pid_t child = fork();
  if (child == 0) {
    PrintProcessors("child");
    _exit(0);
  }
  waitpid(child, NULL, 0);
  End();
  return 0;
}
