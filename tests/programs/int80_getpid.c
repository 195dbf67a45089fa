// Makes the i386 system call 20 (getpid) by int $0x80 from 64-bit code. The kernel's 32-bit entry takes it
// whatever the program's own mode is; seccomp reports arch i386. A filter that looks at the number alone
// takes 20 for x86-64's writev.
// Tally: RV, the call named as i386's. (A kernel without 32-bit support: RE, signal 11.)
#include "program.h"

int main(void) {
  long result;
  puts("try int80 getpid");
  fflush(stdout);
  __asm__ volatile("int $0x80" : "=a"(result) : "a"(20) : "memory");
  printf("int80 getpid: %s\n", result == getpid() ? "allowed" : "refused");
  End();
  return 0;
}
