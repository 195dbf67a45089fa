// Writes to its input: through descriptor 0, and through /proc/self/fd/0 and /dev/stdin opened anew for
// writing. A descriptor for reading refuses (EBADF), but /proc/self/fd/0 opens the file itself again, with
// the rights the program has on the file; so the test's input could be changed for the next run.
// Tally: OK; all refused, the input file is unchanged. It writes nothing unless the write succeeds, which is
// one byte 'x'.
#include "program.h"

#include <fcntl.h>

int main(void) {
  TRY("write 0", write(0, "x", 1));
  static const char* const names[] = {"/proc/self/fd/0", "/dev/stdin", "/dev/fd/0"};
  for (int i = 0; i < 3; ++i) {
    const int fd = open(names[i], O_WRONLY | O_NONBLOCK);
    Report(names[i], fd);
  }
  TRY("ftruncate 0", ftruncate(0, 0));
  End();
  return 0;
}
