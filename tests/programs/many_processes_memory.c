// Forks argv[1] children (default 4), each of which touches argv[2] MiB (default 64) and keeps it until all
// have. RLIMIT_AS and RLIMIT_DATA count per process, so every child is below a limit that they pass together;
// only a cgroup or a sum over processes sees it.
// Tally: MLE under a memory limit below argv[1] * argv[2] MiB, by a cgroup or by looking; address-space, the metric of a
// single process, gives OK above argv[2]. RV ("clone") with a process limit of 1.
#include "program.h"

#include <sys/wait.h>

int main(int argc, char** argv) {
  const long long children = Number(argc, argv, 1, 4);
  const size_t size = (size_t)Number(argc, argv, 2, 64) * MIB;
  int ready[2], go[2], failed = 0;
  char byte = 0;
  if (pipe(ready) != 0 || pipe(go) != 0) return 1;
  SafetyNet();
  for (long long i = 0; i < children; ++i) {
    const pid_t child = fork();
    if (child < 0) return 2;
    if (child == 0) {
      close(ready[0]), close(go[1]);
      void* block = malloc(size);
      if (block == NULL) _exit(1);
      Touch(block, size);
      _exit(write(ready[1], &byte, 1) != 1 || read(go[0], &byte, 1) != 0);
    }
  }
  close(ready[1]);
  for (long long i = 0; i < children && read(ready[0], &byte, 1) == 1; ++i) {
  }
  close(go[1]);
  for (int status; wait(&status) > 0; failed |= status) {
  }
  if (failed) return 3;
  End();
  return 0;
}
