// Tries: to say more than the output limit allows where nobody counts: on stderr, through a duplicate of stdout after closing
//   it, by a vector, at an offset.
// Kernel: a limit on the size of files is one for each file (RLIMIT_FSIZE); a write at an offset to a file opened for appending
//   appends (open(2), BUGS).
// Stopped by: stdout and stderr have the output limit each, whichever descriptor is used.
// Run: output=1M -- error => OLE
// Run: output=1M -- copy => OLE
// Run: output=1M -- vector => OLE
// Run: output=1M -- offset => OLE
// Run: output=1M -- little => OK
#include <stdio.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

int main(int argc, char** argv) {
  const char* const how = argc > 1 ? argv[1] : "little";
  static char bytes[1 << 16];
  memset(bytes, 'x', sizeof bytes);
  const int copy = dup(1);
  if (strcmp(how, "copy") == 0) close(1);
  const struct iovec parts[4] = {{bytes, 1 << 14}, {bytes, 1 << 14}, {bytes, 1 << 14}, {bytes, 1 << 14}};
  for (int i = 0; i < 64; ++i) {
    ssize_t n = 0;
    if (strcmp(how, "error") == 0) n = write(2, bytes, sizeof bytes);
    if (strcmp(how, "copy") == 0) n = write(copy, bytes, sizeof bytes);
    if (strcmp(how, "vector") == 0) n = writev(1, parts, 4);
    if (strcmp(how, "offset") == 0) n = pwrite(1, bytes, sizeof bytes, 0);
    if (n < 0) return 3;
  }
  return 0;
}
