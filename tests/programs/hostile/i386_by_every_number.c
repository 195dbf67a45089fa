// Tries: to pass the filter under another name: system calls of i386 by int 0x80, where 1 is exit, 4 is write, 11 is execve, 120 is
//   clone, and by numbers that only i386 has.
// Kernel: int 0x80 takes numbers of the i386 table in 64-bit code, too.
// Stopped by: another architecture's call is a rule violation; where the kernel has no such calls the instruction faults.
// Build: nolibc
// Run: -- 1 => RV RE
// Run: -- 2 => RV RE
// Run: -- 4 => RV RE
// Run: -- 11 => RV RE
// Run: -- 20 => RV RE
// Run: -- 90 => RV RE
// Run: -- 102 => RV RE
// Run: -- 113 => RV RE
// Run: -- 117 => RV RE
// Run: -- 120 => RV RE
// Run: -- 123 => RV RE
// Run: -- 173 => RV RE
// Run: -- 192 => RV RE
// Run: -- 243 => RV RE
// Run: -- 403 => RV RE
// Run: -- 600 => RV RE
#include <stdint.h>

__attribute__((used)) static void start(long* stack) {
  static uint8_t area[4096];
  char** const argv = (char**)(stack + 1);
  long number = 0;
  if (stack[0] > 1) {
    for (const char* text = argv[1]; *text != 0; ++text) number = number * 10 + (*text - '0');
  }
  __asm__ volatile("int $0x80" : "+a"(number) : "b"(0L), "c"(area), "d"(0L), "S"(0L), "D"(0L) : "memory", "cc");
  for (;;) {
    long result = 231;
    __asm__ volatile("syscall" : "+a"(result) : "D"(0L) : "rcx", "r11", "memory");
  }
}
__asm__(".globl _start\n_start: movq %rsp, %rdi; andq $-16, %rsp; call start");
