// Tries: every software interrupt, int 0 to int 255: the entries of the kernel that a program may call, breakpoints, 32-bit calls.
// Kernel: of the gates of the interrupt table a program may enter 3 (breakpoint), 4 (overflow) and 128 (32-bit calls); the others
//   are a general protection fault (arch/x86/kernel/idt.c).
//   Some hypervisors have more.
// Stopped by: a fault of the program's, in translation on every machine (x86/decode.cc); a 32-bit call is a rule violation where
//   the kernel has any.
// Run: -- 0 128 => OK
// Run: -- 129 256 => OK
// Run: -- 128 129 => RV OK
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

static sigjmp_buf back;
static void handler(int number) { siglongjmp(back, number); }

int main(int argc, char** argv) {
  const int first = argc > 1 ? atoi(argv[1]) : 0, last = argc > 2 ? atoi(argv[2]) : 1;
  uint8_t* const code = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  for (int i = 0; i < 256; ++i) {
    code[i * 4] = 0xcd;
    code[i * 4 + 1] = (uint8_t)i;
    code[i * 4 + 2] = 0xc3;
  }
  mprotect(code, 4096, PROT_READ | PROT_EXEC);
  signal(SIGSEGV, handler);
  signal(SIGTRAP, handler);
  signal(SIGILL, handler);
  int faults = 0;
  for (int i = first; i < last; ++i) {
    if (sigsetjmp(back, 1) == 0) {
      long result = 1000;  // no 32-bit call
      __asm__ volatile("call *%1" : "+a"(result) : "r"(code + i * 4) : "memory");
    } else {
      ++faults;
    }
  }
  printf("%d faults\n", faults);
  return 0;
}
