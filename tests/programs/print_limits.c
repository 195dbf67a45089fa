// Prints its resource limits, and the number of CPUs, the memory and the load that it is shown.
// rlimits are inherited and survive execve; sysinfo(2) and /proc show the host's figures, as there is no
// namespace for them.
// Tally: OK; the limits are those of the request, soft and hard alike, and core files are off.
#include "program.h"

#include <sched.h>
#include <sys/resource.h>
#include <sys/sysinfo.h>

int main(void) {
  static const char* const names[] = {"cpu",      "fsize",  "data",    "stack", "core",  "rss",
                                      "nproc",    "nofile", "memlock", "as",    "locks", "sigpending",
                                      "msgqueue", "nice",   "rtprio",  "rttime"};
  for (int i = 0; i < 16; ++i) {
    struct rlimit limit;
    if (getrlimit((__rlimit_resource_t)i, &limit) != 0) {
      Report(names[i], -1);
    } else {
      printf("%s %lld %lld\n", names[i], (long long)limit.rlim_cur, (long long)limit.rlim_max);
    }
  }
  cpu_set_t cpus;
  struct sysinfo info;
  if (sched_getaffinity(0, sizeof cpus, &cpus) == 0) printf("cpus %d\n", CPU_COUNT(&cpus));
  if (sysinfo(&info) == 0)
    printf("memory %lu MiB, %d processes\n", info.totalram / MIB * info.mem_unit, info.procs);
  End();
  return 0;
}
