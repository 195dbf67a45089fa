// Built for the setuid bit: a test makes it owned by root with mode 4755 and runs it as the contestant's
// program. execve of a setuid file gives its owner's id, unless no_new_privs or nosuid say otherwise; the
// judge executes the contestant's file itself, so its mode is the contestant's choice.
// Tally: OK; it prints that euid is the real uid and that no file of root's opens.
#include "program.h"

#include <fcntl.h>

int main(void) {
  printf("uid %d euid %d gid %d egid %d\n", (int)getuid(), (int)geteuid(), (int)getgid(), (int)getegid());
  puts(getuid() == geteuid() && getgid() == getegid() ? "ordinary" : "RAISED");
  Report("open /etc/shadow", open("/etc/shadow", O_RDONLY));
  End();
  return 0;
}
