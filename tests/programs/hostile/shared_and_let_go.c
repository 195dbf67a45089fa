// Tries: more memory than its limit where no cgroup counts it: shared memory that it fills and lets go of at once, so that
//   it is resident nowhere, by two processes.
// Kernel: MADV_DONTNEED takes pages of a shared mapping out of the page tables only; they stay with their object (madvise(2)).
// Stopped by: the cgroup, or a figure that counts shared anonymous memory as large as it is mapped (memory_in_use.h).
// Run: memory=64M processes=2 -- 200 => MLE
// Run: memory=64M processes=2 -- 20 => OK
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char** argv) {
  const long mib = argc > 1 ? atol(argv[1]) : 200;
  const pid_t child = fork();
  if (child == 0) {
    pause();
    _exit(0);
  }
  char* const shared = mmap(0, mib << 20, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED) return 1;
  for (long i = 0; i < mib; ++i) {
    memset(shared + (i << 20), (int)i + 1, 1 << 20);
    madvise(shared + (i << 20), 1 << 20, MADV_DONTNEED);
  }
  long kept = 0;
  for (long i = 0; i < mib; ++i) kept += shared[i << 20] == (char)(i + 1);
  printf("kept %ld of %ld MiB\n", kept, mib);
  kill(child, 9);
  wait(0);
  return kept == mib ? 0 : 1;
}
