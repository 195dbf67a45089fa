// Makes the kernel send its parent a signal (SIGKILL in a pid namespace, else SIGCONT): fcntl(F_SETOWN,
// parent), F_SETSIG, O_ASYNC on a pipe, and a write to it. No kill(2) is involved: the signal goes out when
// data arrives, with the rights of whoever called F_SETOWN; a policy that allows all of fcntl allows this.
// Tally: no signal arrives anywhere: OK, or RV ("fcntl"); the supervisor lives, with reduced isolation as
// well.
#include "program.h"

#include <fcntl.h>
#include <signal.h>

int main(void) {
  const pid_t parent = getppid() > 0 ? getppid() : 1;
  int ends[2];
  if (pipe(ends) != 0) return 1;
  TRY("fcntl F_SETOWN", fcntl(ends[0], F_SETOWN, parent));
  TRY("fcntl F_SETSIG", fcntl(ends[0], F_SETSIG, InPidNamespace() ? SIGKILL : SIGCONT));
  TRY("fcntl O_ASYNC", fcntl(ends[0], F_SETFL, O_ASYNC | O_NONBLOCK));
  TRY("write", write(ends[1], "x", 1));
  End();
  return 0;
}
