// Reads /dev/zero 16 MiB at a time for ever (argument "getppid": calls getppid for ever instead).
// The kernel clears the pages on the program's behalf: nearly all of the CPU time is system time, of which a
// limit on user time or on instructions sees nothing.
// Tally: TLE by the CPU time limit (or wall); the user time stays small. Needs 32 MiB of memory.
#include "program.h"

#include <fcntl.h>
#include <sys/syscall.h>

int main(int argc, char** argv) {
  static char buffer[16 << 20];
  SafetyNet();
  const int zero = argc > 1 ? -1 : open("/dev/zero", O_RDONLY);
  while (zero >= 0 && read(zero, buffer, sizeof buffer) > 0) {
  }
  for (;;) syscall(SYS_getppid);
}
