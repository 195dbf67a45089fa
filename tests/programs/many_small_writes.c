// Writes N bytes (argv[1], default 10000) with N system calls of one byte each, then END.
// Each write enters the kernel; an executor that stops the program at every call makes this hundreds of times
// slower and charges the stops to the program's system time.
// Tally: OK; N + 4 bytes of output; num_syscalls is N plus libc's own. OLE under an output limit below N + 4.
#include "program.h"

int main(int argc, char** argv) {
  const long long n = Number(argc, argv, 1, 10000);
  for (long long i = 0; i < n; ++i) {
    if (write(1, i % 64 == 63 || i == n - 1 ? "\n" : "x", 1) != 1) return 1;
  }
  End();
  return 0;
}
