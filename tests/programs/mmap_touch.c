// Maps argv[1] MiB (default 256) of anonymous private memory and touches it; with argument 2 "free" it gives
// every MiB back before it takes the next, so that only one is ever in use.
// The kernel charges a page at its first write; MAP_POPULATE would only do so earlier.
// Tally: MLE when the memory limit is below argv[1], else OK; with "free" OK at 16 MiB under every metric.
#include "program.h"

#include <sys/mman.h>

int main(int argc, char** argv) {
  const int give_back = argc > 2 && strcmp(argv[2], "free") == 0;
  for (long long i = Number(argc, argv, 1, 256); i > 0; --i) {
    void* block = mmap(NULL, MIB, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (block == MAP_FAILED) {
      perror("mmap");
      return 1;
    }
    Touch(block, MIB);
    if (give_back) munmap(block, MIB);
  }
  End();
  return 0;
}
