// Executes its own file by a path at the address where the judge keeps the path of the program it starts
// (supervisor/tracing/trace_codes.h, kLaunchPath): the filter lets such a call through, the exec stop must not.
// Tally: RV ("execve") without the processes permission, and the second life never prints; else OK.
#include "program.h"

#include <sys/mman.h>

int main(int argc, char** argv) {
  if (argc > 1 && strcmp(argv[1], "again") == 0) {
    puts("second life");
    End();
    return 0;
  }
  char* const room = mmap((void*)0x170000000000, 4096, PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
  if (room == MAP_FAILED) return 3;
  strcpy(room, argv[0]);
  char* arguments[] = {argv[0], (char*)"again", NULL};
  char* environment[] = {NULL};
  TRY("execve", execve(room, arguments, environment));
  End();
  return 0;
}
