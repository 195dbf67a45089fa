// Calls mount(2) for a file system type that does not exist, so that nothing is ever mounted.
// EPERM: no CAP_SYS_ADMIN in the mount namespace; ENODEV: it had the right, only the type is missing.
// Tally: RV ("mount"). An answer of ENODEV would mean that the sandbox's root can be rebuilt from inside.
#include "program.h"

#include <sys/mount.h>

int main(void) {
  TRY("mount", mount("none", "/tmp", "tally-no-such-type", 0, NULL));
  TRY("umount2", umount2("/tally-no-such-directory", MNT_DETACH));
  End();
  return 0;
}
