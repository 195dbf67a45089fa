// Moves argv[1] MiB (default 256) to stdout by splice(2), from a pipe it fills itself.
// Pages change hands without a copy and without write(2). Into a file RLIMIT_FSIZE holds; into a pipe nothing
// does, and a file in append mode answers EINVAL.
// Tally: OLE when the output limit is below argv[1], else OK; in append mode RE (exit code 1).
#include "program.h"

#include <fcntl.h>

int main(int argc, char** argv) {
  static char block[65536];
  int ends[2];
  if (pipe(ends) != 0) return 2;
  memset(block, 'x', sizeof block);
  SafetyNet();
  for (long long left = Number(argc, argv, 1, 256) * (long long)MIB; left > 0;) {
    ssize_t filled = write(ends[1], block, sizeof block);
    while (filled > 0) {
      const ssize_t n = splice(ends[0], NULL, 1, NULL, (size_t)filled, 0);
      if (n <= 0) {
        fprintf(stderr, "splice: %s\n", strerrorname_np(errno));
        return 1;
      }
      filled -= n;
      left -= n;
    }
  }
  End();
  return 0;
}
