// Allocates blocks of 1 MiB, argv[1] in all (default 256), and never looks whether it got them. Where address
// space is limited the first refused one is NULL, and writing to it is SIGSEGV: the commonest way for a
// student's program to die of its memory limit.
// Tally: MLE when the memory limit is below argv[1] MiB (not RE, signal 11), else OK.
#include "program.h"

int main(int argc, char** argv) {
  for (long long i = Number(argc, argv, 1, 256); i > 0; --i) Touch(malloc(MIB), MIB);
  End();
  return 0;
}
