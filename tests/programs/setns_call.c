// Enters the namespaces of its parent: setns(2) on /proc/PID/ns/mnt, net and pid; harmless on its own ones.
// With a descriptor of a namespace and CAP_SYS_ADMIN over it one walks out of the sandbox; the descriptor
// comes from /proc of a process outside, or was left open by a careless supervisor.
// Tally: RV ("setns").
#include "program.h"

#include <fcntl.h>
#include <sched.h>

int main(void) {
  static const char* const kinds[] = {"mnt", "net", "pid"};
  for (int i = 0; i < 3; ++i) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/ns/%s", (int)getppid(), kinds[i]);
    const int fd = open(path, O_RDONLY);
    Report(path, fd);
    TRY("setns", setns(fd, 0));
  }
  End();
  return 0;
}
