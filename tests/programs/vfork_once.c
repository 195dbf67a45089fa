// One vfork; the child ends at once.
// vfork(2) is a system call of its own (and clone(CLONE_VM | CLONE_VFORK) does the same): posix_spawn and
// system(3) use it, so a filter for fork and clone alone lets a shell start.
// Tally: RV ("vfork") with a process limit of 1, OK with 2.
#include "program.h"

#include <sys/wait.h>

int main(void) {
  puts("try vfork");
  fflush(stdout);
  const pid_t child = vfork();
  if (child == 0) _exit(0);
  Report("vfork", child < 0 ? -1 : 1);
  if (child > 0) waitpid(child, NULL, 0);
  End();
  return 0;
}
