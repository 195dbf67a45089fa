// cpuid: every question a C library asks and some that none does, twice from one place, with different flags and with
// something in the upper halves of the registers.
#include "program.h"

enum { kStatusFlags = 0x8d5 };

struct Answer {
  unsigned long rax, rbx, rcx, rdx, flags;
};

static struct Answer Ask(unsigned long leaf, unsigned long subleaf, unsigned long flags) {
  struct Answer answer;
  __asm__ volatile(
      "push %[flags]\n\tpopf\n\t"
      "cpuid\n\t"
      "pushf\n\tpop %[after]"
      : "=a"(answer.rax), "=b"(answer.rbx), "=c"(answer.rcx), "=d"(answer.rdx), [after] "=r"(answer.flags)
      : "a"(leaf), "c"(subleaf), "b"(-1L), "d"(-1L), [flags] "r"(flags)
      : "cc");
  answer.flags &= kStatusFlags;
  return answer;
}

int main(void) {
  static const unsigned long flags[] = {0x202, 0x202 | kStatusFlags, 0x202 | 0x800, 0x202 | 0x45};
  unsigned asked = 0;
  for (unsigned long leaf = 0; leaf < 0x20; ++leaf) {
    for (unsigned long subleaf = 0; subleaf < 6; ++subleaf) {
      const unsigned long extended = leaf & 0x10 ? 0x80000000 + (leaf & 0xf) : leaf;
      const unsigned long high = subleaf % 2 ? 0xabcd00000000 : 0;
      const struct Answer got = Ask(extended | high, subleaf | high, flags[asked++ % 4]);
      printf("%lx %lu: %lx %lx %lx %lx flags %lx\n", extended, subleaf, got.rax, got.rbx, got.rcx, got.rdx, got.flags);
    }
  }
  const struct Answer unknown = Ask(0x12345678, 0xffffffff, flags[1]);
  printf("%lx %lx %lx %lx %lx\n", unknown.rax, unknown.rbx, unknown.rcx, unknown.rdx, unknown.flags);
  End();
  return 0;
}
