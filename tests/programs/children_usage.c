// Waits for a child by wait4 or waitid, asking what it has used, or not (argv[1]: wait4, nohang, waitid, quiet).
// Kernel: both write a struct rusage with CPU time and switches, real figures that no two runs have in common.
// Tally: OK with a process limit of 2; counted by translator children have used nothing, as getrusage has it, and the count is deterministic.
#include "program.h"

#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>

int main(int argc, char** argv) {
  const char* const how = argc > 1 ? argv[1] : "wait4";
  const pid_t child = fork();
  if (child == 0) {
    for (volatile int i = 0; i < 100000; ++i) {}
    _exit(3);
  }
  struct rusage usage;
  siginfo_t info;
  memset(&usage, 1, sizeof usage);
  int status = 0;
  if (strcmp(how, "waitid") == 0) {
    syscall(SYS_waitid, P_PID, child, &info, WEXITED, &usage);
  } else {
    const int options = strcmp(how, "nohang") == 0 ? WNOHANG : 0;
    while (wait4(child, &status, options, strcmp(how, "quiet") == 0 ? NULL : &usage) == 0) {}
  }
  int used = 0;
  for (size_t i = 0; i < sizeof usage; ++i) used += ((unsigned char*)&usage)[i] != 0;
  puts(used == 0 ? "nothing used" : "something used");
  End();
  return 0;
}
