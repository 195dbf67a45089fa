// Tries: to leave the processor in states that a judge who makes it do something would trip over: direction and alignment flags,
//   exceptions of SSE and x87 unmasked and pending, odd rounding, MMX in use, rsp and rbp anywhere.
// Kernel: all of that is a program's own (user-mode state), and the kernel keeps it over traps.
// Stopped by: calls of ours in the program depend on none of it, and all registers are put back (tracing/injection.h).
// Run: same -- direction => OK
// Run: same -- alignment => OK RE
// Run: same -- sse => RE
// Run: same -- x87 => RE
// Run: same -- rounding => OK
// Run: same -- mmx => OK
// Run: same -- stack => RE
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

static int is(const char* a, const char* b) { return strcmp(a, b) == 0; }

// New code each time, so that a translator is called; and a call of the kernel.
static int fresh(int value) {
  uint8_t* const at = mmap(0, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  const uint8_t code[] = {0xb8, (uint8_t)value, 0, 0, 0, 0xc3};
  for (unsigned i = 0; i < sizeof code; ++i) at[i] = code[i];
  return ((int (*)(void))at)();
}

int main(int argc, char** argv) {
  const char* const how = argc > 1 ? argv[1] : "direction";
  volatile double zero = 0;
  int sum = 0;
  if (is(how, "direction")) {
    int (*volatile call)(int) = fresh;
    sum = call(3);
    __asm__ volatile("std; nop; cld");
  } else if (is(how, "alignment")) {
    __asm__ volatile("pushfq; orq $0x40000, (%%rsp); popfq; nop; pushfq; andq $~0x40000, (%%rsp); popfq" : : : "memory", "cc");
  } else if (is(how, "sse")) {
    const unsigned unmasked = 0x1f80 & ~0x200u;
    __asm__ volatile("ldmxcsr %0" : : "m"(unmasked));
    sum = fresh(1) + (int)(1 / zero);
  } else if (is(how, "x87")) {
    const uint16_t unmasked = 0x37f & ~4;
    __asm__ volatile("fldcw %0; fld1; fldz; fdivrp; fwait" : : "m"(unmasked));
  } else if (is(how, "rounding")) {
    const unsigned up = 0x1f80 | 0x4000;
    __asm__ volatile("ldmxcsr %0" : : "m"(up));
    sum = fresh(2);
    volatile float third = 1.0f / 3;
    sum += third * 3 > 1;
  } else if (is(how, "mmx")) {
    __asm__ volatile("pcmpeqd %%mm0, %%mm0; pcmpeqd %%mm7, %%mm7" : : : "mm0", "mm7");
    sum = fresh(4);
    uint64_t value;
    __asm__ volatile("movq %%mm7, %0; emms" : "=r"(value));
    sum += value == ~0ULL;
  } else if (is(how, "stack")) {
    __asm__ volatile("movq $0x1234567, %%rsp; pushq %%rax" : : : "memory");
  }
  printf("%d\n", sum);
  return 0;
}
