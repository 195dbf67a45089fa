// Kills its own process group: kill(0, SIGKILL). Bare it makes a group of its own first. Process groups cross
// pid namespaces: a supervisor that forgot setsid or setpgid for its child is in the same group and dies with
// it, although the program cannot even see it.
// Tally: RV ("kill") with a process limit of 1 (or RE, signal 9, where the policy lets it through); in each
// case the supervisor lives to say so.
#include "program.h"

#include <signal.h>

int main(void) {
  if (!InPidNamespace()) setpgid(0, 0);
  TRY("kill 0", kill(0, SIGKILL));
  End();
  return 0;
}
