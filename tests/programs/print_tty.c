// Opens its controlling terminal (/dev/tty), /dev/console and the first pseudo-terminals; asks stdin for a
// name. /dev/tty is whatever terminal the session has: a program in the judge's session can read the
// operator's passwords and write on the screen. setsid takes it away, a minimal /dev has no such file.
// Tally: OK; everything is refused and stdin is no terminal.
#include "program.h"

#include <fcntl.h>

int main(void) {
  static const char* const files[] = {"/dev/tty",   "/dev/console", "/dev/tty1",
                                      "/dev/pts/0", "/dev/pts/1",   "/dev/ptmx"};
  for (size_t i = 0; i < sizeof files / sizeof *files; ++i) {
    const int fd = open(files[i], O_RDWR | O_NOCTTY);
    Report(files[i], fd);
    if (fd >= 0) close(fd);
  }
  printf("stdin is %sa terminal\n", isatty(0) ? "" : "not ");
  End();
  return 0;
}
