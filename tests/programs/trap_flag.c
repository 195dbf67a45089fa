// Sets the trap flag, as a program does that looks for a debugger; with argument "int3" runs a breakpoint.
// The processor traps after the next instruction; without a tracer that asked for it the kernel sends SIGTRAP
// to the program. A single-stepping engine sets the same flag itself and must tell its traps from the
// program's.
// Tally: RE (signal 5), with every engine.
#include "program.h"

int main(int argc, char** argv) {
  if (argc > 1 && strcmp(argv[1], "int3") == 0) {
    __asm__ volatile("int3");
  } else {
    __asm__ volatile(
        "pushfq\n"
        "orl $0x100, (%%rsp)\n"
        "popfq\n"
        "nop\n"
        "nop\n"
        :
        :
        : "cc", "memory");
  }
  End();
  return 0;
}
