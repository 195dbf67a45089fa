// Opens its own standard input and output anew through /proc, for writing, and writes over what is in them; sets flags on them that
// outlive it.
// Kernel: /proc/self/fd/N opens the file itself, with all that the user may; F_SETFL changes what every descriptor of the file shares.
// Tally: OK where the sandbox shows /proc; what was in the input and in the output is as before, and so are their flags. Where there is
// no /proc it says ENOENT.
#include "program.h"

#include <fcntl.h>

static void Rewrite(const char* link) {
  const int fd = open(link, O_RDWR);
  Report(link, fd < 0 ? -1 : pwrite(fd, "changed", 7, 0));
}

int main(void) {
  Rewrite("/proc/self/fd/0");
  Rewrite("/proc/self/fd/1");
  Rewrite("/proc/self/fd/2");
  fcntl(0, F_SETFL, O_NONBLOCK | O_APPEND);
  fcntl(1, F_SETFL, fcntl(1, F_GETFL) | O_NONBLOCK);
  char line[64] = "";
  const ssize_t n = read(0, line, sizeof line - 1);
  printf("read %zd: %s\n", n, line);
  End();
  return 0;
}
