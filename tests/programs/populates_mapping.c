// Has the kernel map argv[1] GiB of the zero page at once (MAP_POPULATE), which takes it seconds in one call, and gives them back.
// Tally: natively TLE or MLE by the limits. Counted, nothing is populated before it is touched, so it is OK, and at once.
#include "program.h"

#include <stdlib.h>
#include <sys/mman.h>

int main(int argc, char** argv) {
  const size_t size = (size_t)atol(argc > 1 ? argv[1] : "1") << 30;
  char* const mapping = mmap(NULL, size, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_POPULATE, -1, 0);
  Report("mmap", mapping == MAP_FAILED ? -1 : 0);
  Report("munmap", munmap(mapping, size));
  return 0;
}
