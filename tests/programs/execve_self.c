// Executes its own file anew; with argument "at" by execveat(2) on a descriptor of it. The second life prints
// END. The second image starts with fresh address space, handlers and VmPeak; CPU time, limits and the pid go
// on, and figures of the first image must not be lost.
// Tally: RV ("execve" or "execveat") without the processes permission, else OK.
#include "program.h"

#include <fcntl.h>
#include <sys/syscall.h>

int main(int argc, char** argv) {
  char* arguments[] = {(char*)"execve_self", (char*)"again", NULL};
  char* environment[] = {NULL};
  if (argc > 1 && strcmp(argv[1], "at") == 0) {
    const int self = open("/proc/self/exe", O_RDONLY);
    TRY("execveat", syscall(SYS_execveat, self, "", arguments, environment, AT_EMPTY_PATH));
  } else if (argc < 2 || strcmp(argv[1], "again") != 0) {
    TRY("execve", execve("/proc/self/exe", arguments, environment));
  } else {
    puts("second life");
  }
  End();
  return 0;
}
