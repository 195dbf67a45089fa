// An assertion fails. assert prints to stderr and calls abort; NDEBUG would remove it, so it is undefined
// here whatever the build.
// Tally: RE (signal 6).
#undef NDEBUG
#include "program.h"

#include <assert.h>

int main(int argc, char** argv) {
  (void)argv;
  assert(argc > 1000);
  End();
  return 0;
}
