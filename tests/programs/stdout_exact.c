// Writes exactly argv[1] bytes (default 1000, at least 5): filler, and END on a line of its own as the last.
// At the limit every byte fits; one byte more and the last write is cut to nothing: SIGXFSZ.
// Tally: OK when the output limit is argv[1], OLE when it is argv[1] - 1, into a file and into a pipe.
#include "program.h"

int main(int argc, char** argv) {
  static char block[65536];
  memset(block, 'x', sizeof block);
  for (long long left = Number(argc, argv, 1, 1000) - 5; left > 0;) {
    const ssize_t n = write(1, block, left < (long long)sizeof block ? (size_t)left : sizeof block);
    if (n <= 0) return 1;
    left -= n;
  }
  for (const char* end = "\nEND\n"; *end != 0;) {
    const ssize_t n = write(1, end, strlen(end));
    if (n <= 0) return 1;
    end += n;
  }
  return 0;
}
