// Asks for a better place at the CPU: nice -20, the real-time scheduler, another CPU than the one given.
// A real-time task starves everything else on its CPU, the judge included; leaving the CPU one was pinned to
// disturbs its neighbour's measurement.
// Tally: every call "refused (EPERM)", but for the policy that it has anyway, which run times ask for; END, OK.
#include "program.h"

#include <sched.h>
#include <sys/resource.h>

int main(void) {
  const struct sched_param priority = {.sched_priority = 1};
  const struct sched_param normal = {.sched_priority = 0};
  cpu_set_t all;
  memset(&all, 0xff, sizeof all);
  SafetyNet();
  TRY("setpriority", setpriority(PRIO_PROCESS, 0, -20));
  TRY("sched_setscheduler", sched_setscheduler(0, SCHED_FIFO, &priority));
  const int others[] = {SCHED_RR, SCHED_BATCH, SCHED_IDLE, 6 /* SCHED_DEADLINE */, 7 /* SCHED_EXT */};
  for (int i = 0; i < 5; ++i) {
    if (sched_setscheduler(0, others[i], &normal) == 0 || sched_setscheduler(0, others[i] | SCHED_RESET_ON_FORK, &normal) == 0) return 1;
  }
  if (sched_setscheduler(0, SCHED_OTHER, &normal) != 0 || sched_setscheduler(1, SCHED_OTHER, &normal) != 0) return 2;
  TRY("sched_setaffinity", sched_setaffinity(0, sizeof all, &all));
  End();
  return 0;
}
