// Prints a line and ends. Built static, dynamic (ld.so maps libc: it needs the sandbox's /lib), as a static
// position-independent executable (it relocates itself) and for i386 (another kernel entry, other numbers).
// Tally: OK under any limits; hello_32 is RV where the sandbox does not permit i386.
#include "program.h"

int main(void) {
  puts("hello");
  End();
  return 0;
}
