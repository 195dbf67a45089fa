// Tries: to pass the filter under another name: every system call's number with the bit of the x32 ABI, alone and among the 64-bit
//   numbers that only x32 has.
// Kernel: with CONFIG_X86_X32 bit 30 of a number selects another table, with other meanings of the same arguments.
// Stopped by: a number with that bit is of a foreign ABI, whatever it names: a rule violation.
// Build: nolibc
// Run: -- 0 => RV
// Run: -- 1 => RV
// Run: -- 9 => RV
// Run: -- 15 => RV
// Run: -- 39 => RV
// Run: -- 57 => RV
// Run: -- 59 => RV
// Run: -- 101 => RV
// Run: -- 231 => RV
// Run: -- 512 => RV
// Run: -- 520 => RV
// Run: -- 521 => RV
// Run: -- 547 => RV
// Run: -- 1000 => RV
#include <stdint.h>

__attribute__((used)) static void start(long* stack) {
  static uint8_t area[4096];
  char** const argv = (char**)(stack + 1);
  long number = 0;
  if (stack[0] > 1) {
    for (const char* text = argv[1]; *text != 0; ++text) number = number * 10 + (*text - '0');
  }
  long result = number | 0x40000000;
  register long r10 __asm__("r10") = 0;
  __asm__ volatile("syscall" : "+a"(result) : "D"(1L), "S"(area), "d"(0L), "r"(r10) : "rcx", "r11", "memory", "cc");
  for (;;) {
    result = 231;
    __asm__ volatile("syscall" : "+a"(result) : "D"(0L) : "rcx", "r11", "memory");
  }
}
__asm__(".globl _start\n_start: movq %rsp, %rdi; andq $-16, %rsp; call start");
