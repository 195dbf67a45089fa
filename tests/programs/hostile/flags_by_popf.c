// Tries: to get flags that a program may not have, or to leave odd ones behind: bits of the flags by popf and by iret, alone and
//   all together.
// Kernel: popf and iret change the flags that the privilege permits and keep the others without a fault.
// Stopped by: the processor; a translator leaves popf to it, and asks for nothing that these flags change.
// Run: same -- popf => OK
// Run: same -- iret => OK
// Run: same -- call => OK
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>

// NT is left out: a hypervisor that takes part in iret may drop it.
enum { kTrap = 0x100, kNested = 0x4000, kArithmetic = 0x8d5 };

static uint64_t by_popf(uint64_t flags) {
  uint64_t read;
  __asm__ volatile("pushq %1; popfq; pushfq; popq %0; pushq $2; popfq" : "=&r"(read) : "r"(flags) : "memory", "cc");
  return read;
}
static uint64_t by_iret(uint64_t flags) {
  uint64_t read, stack;
  __asm__ volatile(
      "movq %%rsp, %1; pushq $0x2b; pushq %1; pushq %2; pushq $0x33; leaq 1f(%%rip), %0; pushq %0; iretq\n"
      "1: pushfq; popq %0; pushq $2; popfq"
      : "=&r"(read), "=&r"(stack)
      : "r"(flags)
      : "memory", "cc");
  return read;
}
static uint64_t over_a_call(uint64_t flags) {
  uint64_t read;
  long result = SYS_getppid;
  __asm__ volatile("pushq %2; popfq; syscall; pushfq; popq %0; pushq $2; popfq"
                   : "=&r"(read), "+a"(result)
                   : "r"(flags)
                   : "rcx", "r11", "memory", "cc");
  return read;
}

int main(int argc, char** argv) {
  const char* const how = argc > 1 ? argv[1] : "popf";
  uint64_t (*const set)(uint64_t) = strcmp(how, "popf") == 0 ? by_popf : strcmp(how, "iret") == 0 ? by_iret : over_a_call;
  for (int bit = 0; bit < 64; ++bit) {
    const uint64_t flags = 1ULL << bit;
    if (flags != kTrap && flags != kNested) printf("%d: %lx\n", bit, (unsigned long)set(flags));
  }
  printf("%lx %lx\n", (unsigned long)set(~(uint64_t)(kTrap | kNested)), (unsigned long)set(kArithmetic));
  return 0;
}
