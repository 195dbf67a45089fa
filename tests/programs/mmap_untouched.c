// Maps argv[1] MiB (default 512), touches one page of it and ends.
// Address space is not memory: runtimes (Go, Java, sanitizers) reserve gigabytes of it and use little.
// Tally, with a memory limit below argv[1]: OK when pages are counted (cgroup, resident); MLE when address
// space is (the request is refused and the program exits 1). The result must name the metric.
#include "program.h"

#include <sys/mman.h>

int main(int argc, char** argv) {
  const size_t size = (size_t)Number(argc, argv, 1, 512) * MIB;
  char* block = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (block == MAP_FAILED) {
    perror("mmap");
    return 1;
  }
  Touch(block, 1);
  End();
  return 0;
}
