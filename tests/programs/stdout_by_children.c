// Forks argv[1] children (default 4), each of which writes argv[2] KiB (default 512) to the shared stdout.
// The descriptors share one file position, so the pieces add up in one file; a limit per process would see
// each of them alone.
// Tally: OLE when the output limit is below argv[1] * argv[2] KiB and the process limit above argv[1].
#include "program.h"

#include <sys/wait.h>

int main(int argc, char** argv) {
  static char block[1024];
  memset(block, 'x', sizeof block);
  int failed = 0;
  for (long long child = Number(argc, argv, 1, 4); child > 0; --child) {
    const pid_t pid = fork();
    if (pid < 0) return 1;
    if (pid == 0) {
      for (long long i = Number(argc, argv, 2, 512); i > 0; --i) {
        if (write(1, block, sizeof block) != (ssize_t)sizeof block) _exit(2);
      }
      _exit(0);
    }
  }
  for (int status; wait(&status) > 0; failed |= status) {
  }
  if (failed) return 3;
  End();
  return 0;
}
