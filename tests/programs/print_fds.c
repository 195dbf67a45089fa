// Prints every open descriptor from 0 to 1023 with its flags and, where /proc has it, its file.
// A descriptor that the supervisor did not close is open in the program whatever namespace it is in: a log, a
// cgroup, another run's pipe, a folder of the host's to start from with openat.
// Tally: OK; 0, 1 and 2 and nothing else.
#include "program.h"

#include <fcntl.h>

int main(void) {
  int count = 0;
  for (int fd = 0; fd < 1024; ++fd) {
    const int flags = fcntl(fd, F_GETFL);
    if (flags < 0) continue;
    char link[64], file[512];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    const ssize_t n = readlink(link, file, sizeof file - 1);
    file[n > 0 ? n : 0] = 0;
    const int mode = flags & O_ACCMODE;
    printf("fd %d %s%s %s\n", fd,
           mode == O_RDONLY   ? "r"
           : mode == O_WRONLY ? "w"
                              : "rw",
           (flags & O_APPEND) != 0 ? " append" : "", file);
    ++count;
  }
  printf("%d descriptors\n", count);
  End();
  return 0;
}
