// Prints the numbers 1 to 10 and exits at once, with the second half still in stdio's buffer.
// _exit(2) is the bare system call: libc's buffers die with the process, so only what was flushed arrives.
// Tally: OK without check_output; WA with the hint of all ten numbers. No END: it is in the lost half.
#include "program.h"

int main(void) {
  for (int i = 1; i <= 5; ++i) printf("%d\n", i);
  fflush(stdout);
  for (int i = 6; i <= 10; ++i) printf("%d\n", i);
  printf("END\n");
  _exit(0);
}
