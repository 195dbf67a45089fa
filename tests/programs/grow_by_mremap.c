// Doubles one mapping by mremap(2) up to argv[1] MiB (default 256), touching all of it each time.
// Growing a mapping is neither mmap nor brk: what is watched for those two must be watched here as well
// (sio2jail gave the wrong verdict here).
// Tally: MLE when the memory limit is below argv[1], else OK.
#include "program.h"

#include <sys/mman.h>

int main(int argc, char** argv) {
  const size_t end = (size_t)Number(argc, argv, 1, 256) * MIB;
  size_t size = MIB;
  char* block = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  while (block != MAP_FAILED) {
    Touch(block, size);
    if (size >= end) {
      End();
      return 0;
    }
    const size_t wanted = size * 2 < end ? size * 2 : end;
    block = mremap(block, size, wanted, MREMAP_MAYMOVE);
    size = wanted;
  }
  perror("mremap");
  return 1;
}
