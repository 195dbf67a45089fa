// Copies itself into a memfd and executes that: code that never was a file. The second life prints END.
// Mounts marked noexec and read-only do not matter to a memfd; it is how a downloaded payload starts without
// a trace.
// Tally: RV ("memfd_create"). Where that is permitted, RV ("execveat") without the processes permission.
#include "program.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/syscall.h>

int main(int argc, char** argv) {
  static char block[65536];
  if (argc > 1 && strcmp(argv[1], "again") == 0) {
    puts("second life");
    End();
    return 0;
  }
  char* arguments[] = {(char*)"memfd_fexecve", (char*)"again", NULL};
  char* environment[] = {NULL};
  int copy = -1;
  TRY("memfd_create", copy = memfd_create("tally", MFD_CLOEXEC));
  const int self = open("/proc/self/exe", O_RDONLY);
  for (ssize_t n; (n = read(self, block, sizeof block)) > 0;) {
    if (write(copy, block, (size_t)n) != n) break;
  }
  TRY("execveat", syscall(SYS_execveat, copy, "", arguments, environment, AT_EMPTY_PATH));
  End();
  return 0;
}
