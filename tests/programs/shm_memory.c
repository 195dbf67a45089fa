// Maps argv[1] MiB (default 256) of MAP_SHARED | MAP_ANONYMOUS memory and touches it.
// Such pages belong to an unnamed tmpfs file (shmem): RLIMIT_DATA ignores them, and they are RssShmem and not
// RssAnon in /proc, so a peak that adds up only the latter shows nothing.
// Tally: MLE when the memory limit is below argv[1], with every metric; else OK.
#include "program.h"

#include <sys/mman.h>

int main(int argc, char** argv) {
  const size_t size = (size_t)Number(argc, argv, 1, 256) * MIB;
  void* block = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (block == MAP_FAILED) {
    perror("mmap");
    return 1;
  }
  Touch(block, size);
  End();
  return 0;
}
