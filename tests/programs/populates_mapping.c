// Has the kernel map argv[1] GiB of the zero page at once (MAP_POPULATE), which takes it seconds in one call, and gives them back;
// with argv[2] as code ("code") or at an address of its own ("fixed").
// Tally: TLE or MLE by the limits; of code more than 4 GiB is RV in translation.
#include "program.h"

#include <stdlib.h>
#include <sys/mman.h>

int main(int argc, char** argv) {
  const size_t size = (size_t)atol(argc > 1 ? argv[1] : "1") << 30;
  const char* const kind = argc > 2 ? argv[2] : "";
  const int rights = PROT_READ | (strcmp(kind, "code") == 0 ? PROT_EXEC : 0);
  const int fixed = strcmp(kind, "fixed") == 0 ? MAP_FIXED : 0;
  void* const place = fixed != 0 ? (void*)(1L << 44) : NULL;  // NOLINT: an address
  char* const mapping = mmap(place, size, rights, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_POPULATE | fixed, -1, 0);
  Report("mmap", mapping == MAP_FAILED ? -1 : 0);
  Report("munmap", munmap(mapping, size));
  return 0;
}
