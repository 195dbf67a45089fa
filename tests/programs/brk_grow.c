// Moves the program break up by argv[1] MiB (default 256) in steps of 1 MiB and touches each.
// brk(2) makes memory without mmap; RLIMIT_DATA and RLIMIT_AS bound it, and at the refusal sbrk says ENOMEM.
// Tally: MLE when the memory limit is below argv[1], else OK.
#include "program.h"

int main(int argc, char** argv) {
  for (long long i = Number(argc, argv, 1, 256); i > 0; --i) {
    void* block = sbrk((intptr_t)MIB);
    if (block == (void*)-1) {
      perror("sbrk");
      return 1;
    }
    Touch(block, MIB);
  }
  End();
  return 0;
}
