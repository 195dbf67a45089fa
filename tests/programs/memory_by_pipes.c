// Fills argv[1] pipes (default 48) of 1 MiB each with data and keeps them. A pipe's pages are the kernel's:
// no address space, no resident set. What bounds them is the cgroup, the number of descriptors, and
// pipe-user-pages-soft (64 MiB a user, then pipes shrink to two pages).
// Tally: MLE under a cgroup limit below argv[1] MiB; OK with per-process metrics, and then harmless: the
// pipes end with the program.
#include "program.h"

#include <fcntl.h>

int main(int argc, char** argv) {
  static char chunk[65536];
  long long total = 0;
  for (long long i = Number(argc, argv, 1, 48); i > 0; --i) {
    int ends[2];
    if (pipe2(ends, O_NONBLOCK) != 0) {
      Report("pipe2", -1);
      break;
    }
    fcntl(ends[1], F_SETPIPE_SZ, MIB);
    for (ssize_t n; (n = write(ends[1], chunk, sizeof chunk)) > 0;) total += n;
  }
  printf("%lld KiB in pipes\n", total / 1024);
  End();
  return 0;
}
