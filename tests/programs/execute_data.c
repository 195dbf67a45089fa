// Jumps into a static array that holds a perfectly good "ret". Data pages carry the NX bit: fetching an
// instruction there is SIGSEGV. A translator reads code as data and must make the check itself.
// Tally: RE (signal 11), with every engine.
#include "program.h"

static unsigned char data[16] = {0xc3};  // ret

int main(void) {
  ((void (*)(void))(void*)data)();
  End();
  return 0;
}
