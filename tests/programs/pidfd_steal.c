// Opens a pidfd of its parent and takes descriptor 3 (argv[1]) out of it by pidfd_getfd(2). A copy of another
// process's open file, with the rights it was opened with: the hint file, a pipe of the judge. The permission
// is that of ptrace.
// Tally: RV ("pidfd_open", or "pidfd_getfd" where pidfd_open is permitted).
#include "program.h"

#include <sys/syscall.h>

int main(int argc, char** argv) {
  long parent = -1;
  TRY("pidfd_open", parent = syscall(SYS_pidfd_open, getppid(), 0));
  TRY("pidfd_getfd", syscall(SYS_pidfd_getfd, parent, Number(argc, argv, 1, 3), 0));
  End();
  return 0;
}
