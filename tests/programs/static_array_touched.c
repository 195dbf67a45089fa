// Has a static array of 256 MiB and writes to every page of it.
// It lies in .bss: no bytes in the file, an anonymous mapping that execve itself makes. Under RLIMIT_AS that
// mapping fails after the old program is gone, so the kernel kills the process before its first instruction.
// Tally: MLE under a memory limit below 256 MiB, with every metric; OK above.
#include "program.h"

static char array[256 << 20];

int main(void) {
  Touch(array, sizeof array);
  printf("%d\n", array[sizeof array - 4096]);
  End();
  return 0;
}
