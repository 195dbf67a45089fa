// Sets the AC flag, then reads a number from an odd address.
// Linux leaves alignment checking enabled in CR0, so user code may switch it on with a flag of its own; the
// unaligned access is then #AC, which is SIGBUS. No file is needed, and a translator must keep the flag.
// Tally: RE (signal 7), with every engine.
#include "program.h"

int main(void) {
  static const char bytes[16];
  __asm__ volatile(
      "pushfq\n"
      "orl $0x40000, (%%rsp)\n"
      "popfq\n"
      "movl 1(%0), %%eax\n"
      :
      : "r"(bytes)
      : "eax", "cc", "memory");
  End();
  return 0;
}
