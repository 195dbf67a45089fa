// Writes through a null pointer.
// Page 0 is never mapped (vm.mmap_min_addr); the processor's page fault becomes SIGSEGV.
// Tally: RE (signal 11). It stays RE with a memory limit set: nothing was refused before.
#include "program.h"

int main(void) {
  volatile int* volatile nowhere = NULL;  // else the compiler drops a write that nobody may read
  *nowhere = 1;
  End();
  return 0;
}
