// Asks for the time through the vsyscall page, at its fixed address 0xffffffffff600400 (time). The page is a
// relic: the kernel emulates the call when something jumps there (and runs the seccomp filters for it), or,
// with vsyscall=none, sends SIGSEGV. glibc has not used it for ten years, statically linked relics do.
// Tally: OK or RE (signal 11), as the host's kernel has it; never a call that no counter and no filter sees.
#include "program.h"

int main(void) {
  long (*const vsyscall_time)(long*) = (long (*)(long*))0xffffffffff600400UL;
  puts("try vsyscall time");
  fflush(stdout);
  printf("later than 2020: %d\n", vsyscall_time(NULL) > 1577836800L);
  End();
  return 0;
}
