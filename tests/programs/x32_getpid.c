// Makes the x32 system call getpid: number 39 with bit 0x40000000, by the ordinary syscall instruction.
// x32 has the architecture of x86-64 to seccomp and differs in the number only, so "number not in the list of
// denied ones" lets every call through in its x32 form. Kernels without x32 say ENOSYS, after the filter ran.
// Tally: RV, the call named as x32's.
#include "program.h"

int main(void) {
  TRY("x32 getpid", syscall(0x40000000 | 39));
  End();
  return 0;
}
