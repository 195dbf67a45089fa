// Becomes /bin/sh, which prints END. execve(2) replaces the program; seccomp filters, limits and namespaces
// stay. The judge's own execve comes after the filter was installed, so one execve must be let through and
// only one.
// Tally: RV ("execve") without the processes permission; with it OK, whatever shell the sandbox has.
#include "program.h"

int main(void) {
  char* arguments[] = {(char*)"sh", (char*)"-c", (char*)"echo shell; echo END", NULL};
  char* environment[] = {NULL};
  TRY("execve", execve("/bin/sh", arguments, environment));
  End();
  return 0;
}
