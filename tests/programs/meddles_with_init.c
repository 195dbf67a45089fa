// Does to process 1 all that one process may do to another, says how each call went, then which numbers its own children and threads
// get, and leaves one behind. What one program does to its init the next one of a batch would inherit.
// Tally: OK with 8 processes; in a batch the same each time, and a self_portrait between two is the same as well.
#include "program.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>

static void* SayNumber(void* unused) {
  (void)unused;
  printf("thread %d\n", (int)syscall(SYS_gettid));
  return NULL;
}

static void Say(const char* call, long result) { printf("%s %ld %d\n", call, result, result < 0 ? errno : 0); }

int main(void) {
  SafetyNet();
  if (!InPidNamespace()) return 1;
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(0, &one);
  const struct rlimit few = {3, 3};
  const struct sched_param parameter = {0};
  Say("setpriority", setpriority(PRIO_PROCESS, 1, 19));
  Say("setpriority of user", setpriority(PRIO_USER, 0, 19));
  Say("affinity", sched_setaffinity(1, sizeof one, &one));
  Say("policy", sched_setscheduler(1, SCHED_IDLE, &parameter));
  Say("ioprio", syscall(SYS_ioprio_set, 1, 1, 3 << 13));
  Say("limit", prlimit(1, RLIMIT_NOFILE, &few, NULL));
  Say("group", setpgid(1, 1));
  for (int number = 0; number < NSIG; ++number) {
    printf("%d: ", number);
    Say("kill", kill(1, number));
  }
  Say("kill all", kill(-1, SIGCHLD));
  for (int i = 0; i < 3; ++i) {
    const pid_t child = fork();
    if (child == 0) _exit(0);
    printf("child %d\n", (int)child);
    waitpid(child, NULL, 0);
  }
  pthread_t thread;
  if (pthread_create(&thread, NULL, &SayNumber, NULL) == 0) pthread_join(thread, NULL);
  const pid_t left = fork();
  if (left == 0) {
    if (fork() > 0) _exit(0);
    SafetyNet();
    for (;;) pause();
  }
  printf("left %d\n", (int)left);
  waitpid(left, NULL, 0);
  End();
  return 0;
}
