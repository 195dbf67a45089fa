// Asks to be root: setuid(0), setresgid(0, 0, 0), an empty list of groups. Without CAP_SETUID only the real
// and saved ids may become effective again: a supervisor that dropped euid alone left the way back open. In a
// user namespace "root" is the id mapped to 0, if any.
// Tally: RV ("setuid").
#include "program.h"

#include <grp.h>

int main(void) {
  TRY("setuid", setuid(0));
  TRY("setresgid", setresgid(0, 0, 0));
  TRY("setgroups", setgroups(0, NULL));
  printf("uid %d euid %d gid %d egid %d\n", (int)getuid(), (int)geteuid(), (int)getgid(), (int)getegid());
  End();
  return 0;
}
