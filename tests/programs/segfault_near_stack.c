// Writes 1 MiB below its stack's guard: an array index gone wild, not a deep recursion. The fault address
// lies below RLIMIT_STACK's reach, or just below the stack pointer's page; it is a SIGSEGV as any other, and
// only the address and the stack's size tell it from an exhausted stack.
// Tally: RE (signal 11), or MLE ("stack limit exceeded") when the stack limit is what is in the way.
#include "program.h"

#include <sys/resource.h>

int main(void) {
  struct rlimit stack = {0, 0};
  char here = 0;
  getrlimit(RLIMIT_STACK, &stack);
  const size_t reach = stack.rlim_cur == RLIM_INFINITY ? (size_t)8 << 40 : (size_t)stack.rlim_cur;
  volatile char* volatile below = &here - reach - MIB;
  *below = 1;
  End();
  return 0;
}
