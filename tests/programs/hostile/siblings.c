// Tries: to leave children to the judge: each is made by clone(2) with CLONE_PARENT, so that it is the sibling of its maker
//   and the parent of the program, which waits, gets them. One ends before the program, with a better exit code; others outlive it.
// Kernel: CLONE_PARENT gives the child its maker's parent, and tells that one of its end.
// Stopped by: a run's result is that of its first process alone; all that it made die with the run (tracing/tasks.h).
// Run: processes=8 -- better => RE
// Run: processes=8 -- outlive => OK
// Run: processes=8 -- many => OK RV
// Run: processes=8 -- silent => OK RV
#define _GNU_SOURCE
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static long make(unsigned long flags) { return syscall(SYS_clone, flags, 0, 0, 0, 0); }

int main(int argc, char** argv) {
  const char* how = argc > 1 ? argv[1] : "better";
  if (strcmp(how, "better") == 0) {
    if (make(CLONE_PARENT | SIGCHLD) == 0) _exit(0);
    usleep(5000);
    return 3;
  }
  if (strcmp(how, "outlive") == 0) {
    for (int i = 0; i < 5; ++i) {
      if (make(CLONE_PARENT | SIGCHLD) == 0) {
        if (make(CLONE_PARENT) < 0) _exit(1);
        for (;;) pause();
      }
      if (i == 1) break;
    }
    return 0;
  }
  for (int i = 0; i < 40; ++i) {
    if (make(CLONE_PARENT | (strcmp(how, "many") == 0 ? SIGCHLD : 0)) == 0) _exit(0);
    usleep(500);
  }
  return 0;
}
