// Attaches to its parent as a debugger (PTRACE_SEIZE, which does not stop it) and reads a word of it.
// ptrace(2) gives full control over a process of the same user: a judge that runs as the contestant's user
// and without namespaces can be made to say OK. In a pid namespace the parent is the sandbox's init.
// Tally: RV ("ptrace").
#include "program.h"

#include <sys/ptrace.h>

int main(void) {
  const pid_t parent = getppid() > 0 ? getppid() : 1;
  TRY("ptrace seize", ptrace(PTRACE_SEIZE, parent, NULL, NULL));
  TRY("ptrace peek", ptrace(PTRACE_PEEKDATA, parent, (void*)0x400000, NULL));
  End();
  return 0;
}
