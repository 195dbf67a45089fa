// Loads a kernel module from a descriptor that is none; swaps to and accounts into files that do not exist.
// EPERM: no right; EBADF or ENOENT: it had it (ENOSYS: a kernel without modules). All three are root's alone,
// outside every namespace.
// Tally: RV ("finit_module").
#include "program.h"

#include <sys/swap.h>
#include <sys/syscall.h>

int main(void) {
  TRY("finit_module", syscall(SYS_finit_module, -1, "", 0));
  TRY("swapon", swapon("/tally-no-such-file", 0));
  TRY("acct", acct("/tally-no-such-file"));
  End();
  return 0;
}
