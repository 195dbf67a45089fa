// Writes files of 1 MiB into argv[2] (default "/tmp") until argv[1] MiB (default 64) are full, then removes
// them. A tmpfs lives in memory: its pages are charged to the cgroup of the writer, or bounded only by the
// mount's size= option (ENOSPC). No single file comes near the file size limit.
// Tally: MLE under a cgroup limit below argv[1]; else OK with "refused (ENOSPC)" once the mount is full.
// Afterwards nothing is left: the mount ends with the run.
#include "program.h"

#include <fcntl.h>

int main(int argc, char** argv) {
  static char chunk[1 << 20];
  const long long wanted = Number(argc, argv, 1, 64);
  const char* folder = argc > 2 ? argv[2] : "/tmp";
  char name[4096];
  long long made = 0;
  int full = 0;
  for (; made < wanted && !full; ++made) {
    snprintf(name, sizeof name, "%s/tally-fill-%d-%lld", folder, (int)getpid(), made);
    const int fd = open(name, O_WRONLY | O_CREAT | O_EXCL, 0600);
    if (fd < 0 || write(fd, chunk, sizeof chunk) != (ssize_t)sizeof chunk) {
      Report(name, -1);
      full = 1;
    }
    if (fd >= 0) close(fd);
  }
  printf("%lld files\n", made - full);
  while (made > 0) {
    snprintf(name, sizeof name, "%s/tally-fill-%d-%lld", folder, (int)getpid(), --made);
    unlink(name);
  }
  End();
  return 0;
}
