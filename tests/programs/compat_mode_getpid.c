// Jumps into 32-bit mode (code segment 0x23) and makes an i386 call there, then jumps back. A 64-bit process
// may change mode by a far jump: the segment is in every process's table. Decoding its code as 64-bit code,
// as a translator would, is then wrong; the call is arch i386 to seccomp as with int80_getpid.
// Tally: RV, the call named as i386's, with every engine.
#include "program.h"

#include <sys/mman.h>

int main(void) {
  static const unsigned char code[] = {
      0xb8, 20,   0, 0, 0,  // mov $20, %eax
      0xcd, 0x80,           // int $0x80
      0xcb,                 // lret
  };
  void* low =
      mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);
  if (low == MAP_FAILED) return 1;
  memcpy(low, code, sizeof code);
  static struct __attribute__((packed)) {
    unsigned offset;
    unsigned short segment;
  } target;
  target.offset = (unsigned)(unsigned long)low;
  target.segment = 0x23;
  static char stack32[4096] __attribute__((aligned(16)));  // the far return needs a stack below 4 GiB
  int result;
  puts("try compat getpid");
  fflush(stdout);
  __asm__ volatile(
      "movq %%rsp, %%r12\n"
      "movl %2, %%esp\n"
      "lcall *%1\n"
      "movq %%r12, %%rsp\n"
      : "=a"(result)
      : "m"(target), "r"((unsigned)(unsigned long)(stack32 + 2048))
      : "r8", "r9", "r10", "r11", "r12", "memory", "cc");
  printf("compat getpid: %s\n", result == getpid() ? "allowed" : "refused");
  End();
  return 0;
}
