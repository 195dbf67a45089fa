// Calls abort().
// libc raises SIGABRT, if need be again with the default action, and at last executes a privileged
// instruction; where SIGABRT does not work (pid 1 of a namespace) the process so dies of SIGSEGV instead.
// Tally: RE (signal 6), not 11.
#include "program.h"

int main(void) {
  abort();
  End();
}
