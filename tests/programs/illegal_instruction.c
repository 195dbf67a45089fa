// Executes ud2, the instruction that is undefined by definition.
// The processor raises #UD, the kernel sends SIGILL. Compilers emit it where the program's behaviour is
// undefined (__builtin_trap, a function without return).
// Tally: RE (signal 4), with every engine.
#include "program.h"

int main(void) {
  __asm__ volatile("ud2");
  End();
  return 0;
}
