// Opens a performance counter on itself (task clock, a software one that every host has). The call reaches
// deep into the kernel (perf_event_paranoid exists for a reason), and a program that can count can also time
// its neighbours.
// Tally: RV ("perf_event_open"), also when the supervisor itself counts by perf.
#include "program.h"

#include <linux/perf_event.h>
#include <sys/syscall.h>

int main(void) {
  struct perf_event_attr attributes;
  memset(&attributes, 0, sizeof attributes);
  attributes.size = sizeof attributes;
  attributes.type = PERF_TYPE_SOFTWARE;
  attributes.config = PERF_COUNT_SW_TASK_CLOCK;
  TRY("perf_event_open", syscall(SYS_perf_event_open, &attributes, 0, -1, -1, 0));
  End();
  return 0;
}
