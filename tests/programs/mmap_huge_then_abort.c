// Asks for 256 TiB at once, prints the error and exits with code 1.
// A process has 47 bits of address space (128 TiB), so no kernel setting ever grants that, and the program is
// well below any memory limit when it dies of the refusal.
// Tally: MLE under any memory limit; RE (exit code 1) without one: then it was not a limit that refused.
#include "program.h"

#include <sys/mman.h>

int main(void) {
  void* block = mmap(NULL, (size_t)256 << 40, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (block == MAP_FAILED) {
    perror("mmap");
    return 1;
  }
  End();
  return 0;
}
