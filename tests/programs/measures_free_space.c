// Looks for something hidden in its address space by what still fits around it: maps the largest block that the kernel
// gives, then the largest beside that, and so on, and prints where each came to lie. Memory at a random place would
// make other lines each time.
// Tally: OK, with the same output in each run without address randomisation.
#include "program.h"

#include <sys/mman.h>

int main(void) {
  for (int block = 0; block < 6; ++block) {
    size_t fits = 0;
    void* at = MAP_FAILED;
    for (size_t step = (size_t)1 << 46; step >= 4096; step /= 2) {
      void* got = mmap(NULL, fits + step, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
      if (got == MAP_FAILED) continue;
      fits += step;
      munmap(got, fits);
    }
    if (fits != 0) at = mmap(NULL, fits, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    printf("%zx at %p\n", fits, at);
  }
  End();
  return 0;
}
