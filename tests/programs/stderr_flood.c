// Writes argv[1] MiB (default 256) to stderr, then END to stdout.
// stderr is a file like any other; one that nobody bounds fills the judge's disk or, as a pipe that nobody
// reads, blocks the program for ever.
// Tally: OLE when stderr is a file and the file size limit is below argv[1]; OK when it is /dev/null.
#include "program.h"

int main(int argc, char** argv) {
  static char block[65536];
  memset(block, 'e', sizeof block);
  SafetyNet();
  for (long long left = Number(argc, argv, 1, 256) * (long long)MIB; left > 0;) {
    const ssize_t n = write(2, block, sizeof block);
    if (n <= 0) return 1;
    left -= n;
  }
  End();
  return 0;
}
