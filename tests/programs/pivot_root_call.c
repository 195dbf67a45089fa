// Calls pivot_root(2) with directories that do not exist, so that nothing changes. EPERM: no right in this
// mount namespace; ENOENT: it had the right. With it the program could bring back the old root that the
// sandbox hid.
// Tally: RV ("pivot_root").
#include "program.h"

#include <sys/syscall.h>

int main(void) {
  TRY("pivot_root", syscall(SYS_pivot_root, "/tally-no-such-directory", "/tally-no-such-directory"));
  End();
  return 0;
}
