// Looks for its cgroup and tries to leave it: opens cgroup.procs and memory limits for writing, makes a
// cgroup of its own, with names it removes again. It writes nothing into any of them. Whoever may write to
// cgroup.procs of the parent moves out from under every limit; a mounted /sys/fs/cgroup or release_agent
// (version 1) has been a way out of containers.
// Tally: OK; everything is refused, there is no /sys/fs/cgroup.
#include "program.h"

#include <fcntl.h>
#include <sys/stat.h>

int main(void) {
  static const char* const files[] = {"/sys/fs/cgroup/cgroup.procs", "/sys/fs/cgroup/memory/tasks",
                                      "/sys/fs/cgroup/memory/release_agent", "/sys/fs/cgroup/memory.max",
                                      "/sys/fs/cgroup/unified/cgroup.procs"};
  static const char* const folders[] = {"/sys/fs/cgroup", "/sys/fs/cgroup/memory", "/sys/fs/cgroup/unified"};
  char text[512];
  FILE* mine = fopen("/proc/self/cgroup", "r");
  while (mine != NULL && fgets(text, sizeof text, mine) != NULL) printf("cgroup %s", text);
  for (size_t i = 0; i < sizeof files / sizeof *files; ++i) Report(files[i], open(files[i], O_WRONLY));
  for (size_t i = 0; i < sizeof folders / sizeof *folders; ++i) {
    snprintf(text, sizeof text, "%s/tally-probe-%d", folders[i], (int)getpid());
    Report(text, mkdir(text, 0700));
    rmdir(text);
  }
  End();
  return 0;
}
