// Prints by which policy it is scheduled, its nice value, and whether the kernel tells more of it.
// Kernel: both are inherited from who started the judge (sched(7)).
// Tally: OK; counted by translator or step the policy is 0 (SCHED_OTHER), the nice value 0, and more is not told (ENOSYS).
#include "program.h"

#include <errno.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>

int main(void) {
  char attributes[64];
  struct timespec slice;
  printf("policy %d, nice %d\n", sched_getscheduler(0), getpriority(PRIO_PROCESS, 0));
  const int told = syscall(SYS_sched_getattr, 0, attributes, sizeof attributes, 0) == 0 || errno != ENOSYS;
  const int slice_told = sched_rr_get_interval(0, &slice) == 0 || errno != ENOSYS;
  printf("more told: %d %d\n", told, slice_told);
  End();
  return 0;
}
