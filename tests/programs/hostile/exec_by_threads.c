// Tries: more processes than its limit, by execve from a second thread, which takes the dying leader's id, N times over;
//   then it forks as many children as are allowed beside it, and one more.
// Kernel: the leader stops at its exit, and the thread that executes goes on under its id without another word
//   (ptrace(2), "execve(2) under ptrace"): who counts that exit has one task too few, for good.
// Stopped by: a task that executes is alive again, whatever its id was noted for (tracing/tasks.h).
// Build: threads
// Run: processes=3 -- 1 2 => OK
// Run: processes=3 -- 1 3 => RV
// Run: processes=3 -- 5 2 => OK
// Run: processes=3 -- 5 3 => RV
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static char** args;

static void* again(void* unused) {
  char left[16];
  snprintf(left, sizeof left, "%d", atoi(args[1]) - 1);
  char* const next[] = {args[0], left, args[2], NULL};
  execv("/proc/self/exe", next);
  execv(args[0], next);
  _exit(9);
  return unused;
}

int main(int argc, char** argv) {
  args = argv;
  if (argc > 2 && atoi(argv[1]) > 0) {
    pthread_t thread;
    pthread_create(&thread, NULL, again, NULL);
    pthread_join(thread, NULL);
  }
  int fds[2];
  if (pipe(fds) != 0) return 8;
  for (int i = argc > 2 ? atoi(argv[2]) : 2; i > 0; --i) {
    if (fork() == 0) {
      char byte;
      close(fds[1]);
      if (read(fds[0], &byte, 1) == 0) _exit(0);  // when its parent is gone
    }
  }
  return 0;
}
