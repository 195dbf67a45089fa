// Touches argv[1] MiB (default 100), then executes itself as a small program that says END. VmPeak and VmHWM
// belong to the address space, which execve throws away: read at the end they know the second image only.
// (ru_maxrss keeps the larger one; a cgroup's peak does too.)
// Tally: with the processes permission MLE under a memory limit below argv[1], else OK with mem_used of at
// least argv[1] MiB.
#include "program.h"

int main(int argc, char** argv) {
  if (argc > 1 && strcmp(argv[1], "small") == 0) {
    End();
    return 0;
  }
  const size_t size = (size_t)Number(argc, argv, 1, 100) * MIB;
  void* block = malloc(size);
  if (block == NULL) return 1;
  Touch(block, size);
  char* arguments[] = {argv[0], (char*)"small", NULL};
  char* environment[] = {NULL};
  execve("/proc/self/exe", arguments, environment);
  Report("execve", -1);
  return 1;
}
