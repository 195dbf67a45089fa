// Reads back and seeks in its own stdout, and opens it anew by /proc/self/fd/1 for reading and writing.
// When stdout is the judge's file opened for reading as well, the program can use it as memory that no limit
// counts; and when it is a socket or the judge's terminal, it can read what was meant for the judge.
// Tally: OK; reading is refused (EBADF).
#include "program.h"

#include <fcntl.h>

int main(void) {
  char byte;
  puts("first line");
  fflush(stdout);
  const long position = lseek(1, 0, SEEK_SET);
  const long got = position < 0 ? -1 : read(1, &byte, 1);
  lseek(1, 0, SEEK_END);
  Report("read 1", got);
  Report("open /proc/self/fd/1", open("/proc/self/fd/1", O_RDWR | O_NONBLOCK));
  End();
  return 0;
}
