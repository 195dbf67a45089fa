// Writes argv[1] MiB (default 64) into a memfd.
// A memfd is a file in memory without a mount: no mount size, no address space and no resident set bounds it,
// only the cgroup and, file by file, RLIMIT_FSIZE.
// Tally: RV ("memfd_create"), because of just that. Where a policy lets it through: MLE under a cgroup limit.
#include "program.h"

#include <sys/mman.h>

int main(int argc, char** argv) {
  static char chunk[1 << 20];
  int fd = -1;
  TRY("memfd_create", fd = memfd_create("tally", 0));
  for (long long i = Number(argc, argv, 1, 64); fd >= 0 && i > 0; --i) {
    if (write(fd, chunk, sizeof chunk) != (ssize_t)sizeof chunk) {
      Report("write", -1);
      break;
    }
  }
  End();
  return 0;
}
