// Opens descriptors until it may not, argv[1] at most (default 100000): duplicates of stdin, then pipes.
// RLIMIT_NOFILE bounds a process; the sum over processes, and the kernel's memory for pipes, is bounded by
// little else, and a host whose file table is full (fs.file-max) judges nobody.
// Tally: OK; "refused (EMFILE)" at a few hundred or thousand.
#include "program.h"

int main(int argc, char** argv) {
  const long long wanted = Number(argc, argv, 1, 100000);
  long long got = 0;
  for (; got < wanted; ++got) {
    int ends[2];
    if (got % 16 == 0 ? pipe(ends) != 0 : dup(0) < 0) break;
  }
  if (got < wanted) Report("descriptors", -1);
  printf("%lld calls\n", got);
  End();
  return 0;
}
