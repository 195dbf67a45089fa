// Divides an integer by zero.
// The processor raises #DE, the kernel sends SIGFPE ("floating point exception" by name only).
// Tally: RE (signal 8).
#include "program.h"

int main(void) {
  volatile int many = 100, zero = 0;
  printf("%d\n", many / zero);
  End();
  return 0;
}
