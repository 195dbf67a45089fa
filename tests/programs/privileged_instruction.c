// Executes hlt, which only the kernel may; with argument "in" reads an I/O port, with "cli" turns interrupts
// off. All three raise #GP in user mode, which the kernel turns into SIGSEGV; no privilege of Linux's user
// makes hlt legal.
// Tally: RE (signal 11), with every engine.
#include "program.h"

int main(int argc, char** argv) {
  const char* what = argc > 1 ? argv[1] : "hlt";
  if (strcmp(what, "in") == 0) {
    __asm__ volatile("inb $0x80, %%al" : : : "eax");
  } else if (strcmp(what, "cli") == 0) {
    __asm__ volatile("cli");
  } else {
    __asm__ volatile("hlt");
  }
  End();
  return 0;
}
