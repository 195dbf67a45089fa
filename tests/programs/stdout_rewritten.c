// Writes argv[1] MiB (default 256) in blocks of 1 MiB, and cuts the file back to nothing after each.
// The file is never longer than 1 MiB, so RLIMIT_FSIZE and fstat see nothing of the rest (append mode changes
// nothing: it writes at the end, which is the beginning). Into a pipe the cut fails and the output does grow.
// Tally: into a file OK under an output limit of 2 MiB (the output is what is left of it: END), OLE into a
// pipe.
#include "program.h"

int main(int argc, char** argv) {
  static char block[1 << 20];
  memset(block, 'x', sizeof block);
  SafetyNet();
  for (long long i = Number(argc, argv, 1, 256); i > 0; --i) {
    if (write(1, block, sizeof block) <= 0) return 1;
    if (ftruncate(1, 0) == 0) lseek(1, 0, SEEK_SET);
  }
  End();
  return 0;
}
