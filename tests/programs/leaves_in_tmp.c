// Writes argv[1] KiB (default 1400) into a file in /tmp and leaves it there: it stays charged to the run's memory cgroup until the mount ends.
// Tally: OK; the next run has nothing of it, neither the file nor the memory.
#include "program.h"

#include <fcntl.h>

int main(int argc, char** argv) {
  static char chunk[1024];
  const int fd = open("/tmp/left", O_WRONLY | O_CREAT | O_EXCL, 0600);
  for (long long i = Number(argc, argv, 1, 1400); i > 0; --i) {
    if (write(fd, chunk, sizeof chunk) != (ssize_t)sizeof chunk) return 1;
  }
  End();
  return 0;
}
