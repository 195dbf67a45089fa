// Asks for the existence of processes 1 to argv[1] (default 1000) by kill(pid, 0), which sends nothing. The
// answer is ESRCH, EPERM (there, but somebody else's) or success (mine to kill); getsid(pid) answers the same
// question without being a signal call.
// Tally: RV ("kill") with a process limit of 1; where processes are permitted OK, and 1 and 2 are all there
// are.
#include "program.h"

#include <signal.h>

int main(int argc, char** argv) {
  const int last = (int)Number(argc, argv, 1, 1000);
  for (int pid = 1; pid <= last; ++pid) {
    if (pid != getpid() && getsid(pid) >= 0) printf("getsid sees %d\n", pid);
  }
  fflush(stdout);
  for (int pid = 1; pid <= last; ++pid) {
    if (kill(pid, 0) == 0) {
      printf("may signal %d%s\n", pid, pid == getpid() ? " (me)" : "");
    } else if (errno == EPERM) {
      printf("there is %d\n", pid);
    }
  }
  End();
  return 0;
}
