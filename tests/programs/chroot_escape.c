// The classical way out of a chroot: keep a descriptor of "/", chroot deeper, fchdir back, climb by "..",
// chroot. chroot(2) moves only the root; a working directory outside of it stays outside, and ".." stops only
// at the root. pivot_root with the old root unmounted leaves nothing to climb to.
// Tally: RV ("chroot"). Bare, as root, it ends in the host's own root, which is where it was.
#include "program.h"

#include <fcntl.h>

int main(void) {
  const int here = open("/", O_RDONLY | O_DIRECTORY);
  TRY("chroot /tmp", chroot("/tmp"));
  Report("fchdir", fchdir(here));
  for (int i = 0; i < 64; ++i) {
    if (chdir("..") != 0) break;
  }
  TRY("chroot .", chroot("."));
  Report("open etc/shadow", open("etc/shadow", O_RDONLY));
  End();
  return 0;
}
