// Writes argv[1] MiB (default 256) to stdout in blocks of 64 KiB, and stops at the first failed write.
// RLIMIT_FSIZE bounds a regular file: the write that crosses it is cut short, the next one is SIGXFSZ. It
// does not reach pipes and terminals; there somebody has to count.
// Tally: OLE when the output limit is below argv[1], into a file and into a pipe; OK above.
#include "program.h"

int main(int argc, char** argv) {
  static char line[65536];
  memset(line, 'x', sizeof line);
  line[sizeof line - 1] = '\n';
  SafetyNet();
  for (size_t left = (size_t)Number(argc, argv, 1, 256) * MIB; left > 0;) {
    const ssize_t n = write(1, line, left < sizeof line ? left : sizeof line);
    if (n <= 0) return 1;
    left -= (size_t)n;
  }
  End();
  return 0;
}
