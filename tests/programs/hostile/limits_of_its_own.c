// Tries: to give itself more: every resource limit raised, for itself and for the judge, scheduling classes, niceness, its memory
//   locked, its score for the kernel's OOM killer.
// Kernel: a soft limit may be raised to the hard one (prlimit(2)), and niceness by who has the right.
// Stopped by: soft and hard limits are the same, the calls that set any are refused, and /proc cannot be written.
// Run: same -- => OK
// Run: sandbox=interpreter-sandbox processes=2 -- => OK
#define _GNU_SOURCE
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(void) {
  int gained = 0;
  for (int resource = 0; resource < 16; ++resource) {
    struct rlimit before, most = {RLIM_INFINITY, RLIM_INFINITY}, after;
    getrlimit(resource, &before);
    setrlimit(resource, &most);
    syscall(SYS_prlimit64, 0, resource, &most, 0);
    most = (struct rlimit){before.rlim_max, before.rlim_max};
    syscall(SYS_prlimit64, 0, resource, &most, 0);
    getrlimit(resource, &after);
    gained += after.rlim_max > before.rlim_max;
  }
  const struct sched_param first = {.sched_priority = 1};
  gained += sched_setscheduler(0, SCHED_FIFO, &first) == 0;
  gained += setpriority(PRIO_PROCESS, 0, -20) == 0;
  gained += mlockall(MCL_CURRENT | MCL_FUTURE) == 0;
  const int score = open("/proc/self/oom_score_adj", O_WRONLY);
  gained += score >= 0 && write(score, "-1000", 5) == 5;
  printf("gained %d\n", gained);
  return gained;
}
