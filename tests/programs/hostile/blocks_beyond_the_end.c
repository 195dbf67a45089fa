// Tries: to fill the judge's disk without output: blocks allocated behind the end of its standard output.
// Kernel: fallocate(2) with FALLOC_FL_KEEP_SIZE allocates beyond a file's size, and RLIMIT_FSIZE is a limit on sizes.
// Stopped by: fallocate is refused where programs may not write files (EOPNOTSUPP).
// Run: output=1M -- => OK OLE
#define _GNU_SOURCE
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

int main(void) {
  for (int i = 0; i < 64; ++i) fallocate(1, FALLOC_FL_KEEP_SIZE, (off_t)i << 22, 1 << 22);
  struct stat status;
  if (fstat(1, &status) != 0) return 1;
  return status.st_blocks * 512 > (4 << 20);
}
