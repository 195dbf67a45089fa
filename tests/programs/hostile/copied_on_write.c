// Tries: more memory than its limit in parts: what a parent filled, its children write over, page by page, so that each has a copy of
//   its own.
// Kernel: after fork(2) all pages are shared until one side writes, and each process alone stays below the limit.
// Stopped by: a cgroup where there is one; otherwise what all processes hold together, shared pages counted once (resources/memory_in_use.h).
// Run: memory=32M processes=4 -- 20 3 write => MLE
// Run: memory=32M processes=4 -- 20 3 read => OK MLE
// Run: memory=32M processes=4 -- 4 3 write => OK
// Run: memory=32M processes=8 -- 12 7 write => MLE
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char** argv) {
  if (argc < 4) return 1;
  const size_t size = (size_t)atoi(argv[1]) << 20;
  char* const p = malloc(size);
  if (p == NULL) return 1;
  memset(p, 1, size);
  for (int i = atoi(argv[2]); i > 0; --i) {
    if (fork() != 0) continue;
    volatile long sum = 0;
    for (size_t j = 0; j < size; j += 4096) {
      if (argv[3][0] == 'w') p[j] = 2;
      else sum += p[j];
    }
    usleep(100000);
    _exit(0);
  }
  while (wait(NULL) > 0) {
  }
  return 0;
}
