// Makes a new user namespace for itself (and, with it, mount and network namespaces). Anybody may do this on
// most hosts; inside, the program has every capability and may mount. Kernel bugs found there are many, which
// is why the sandbox must not let it go on nesting.
// Tally: RV ("unshare").
#include "program.h"

#include <sched.h>

int main(void) {
  TRY("unshare", unshare(CLONE_NEWUSER));
  TRY("unshare", unshare(CLONE_NEWNS | CLONE_NEWNET));
  End();
  return 0;
}
