// Touches one page in every 2 MiB of a mapping, argv[1] MiB of pages in all (default 32). Each touched page
// needs a page table page of its own (4 KiB for 2 MiB of address space): the kernel uses as much again for
// tables, charged to the cgroup but not part of the resident set. Address space is 512 times it.
// Tally: MLE when the memory limit is below argv[1] with pages counted (below twice that with a cgroup); MLE
// with address space counted, as the mapping of 512 * argv[1] MiB is refused. OK above.
#include "program.h"

#include <sys/mman.h>

int main(int argc, char** argv) {
  const size_t pages = (size_t)Number(argc, argv, 1, 32) * 256;
  const size_t stride = 2 * MIB;
  char* block =
      mmap(NULL, pages * stride, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (block == MAP_FAILED) {
    perror("mmap");
    return 1;
  }
  madvise(block, pages * stride, MADV_NOHUGEPAGE);
  for (size_t i = 0; i < pages; ++i) block[i * stride] = 1;
  End();
  return 0;
}
