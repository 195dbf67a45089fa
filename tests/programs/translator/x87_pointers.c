// Where the processor says that its last x87 instruction stood, in every way in which it says so: environments of both sizes,
// the areas of fxsave and xsave, a signal's frame. On the virtual CPU it is always 0; natively it is an address, or 0.
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <ucontext.h>

static uint8_t area[4096] __attribute__((aligned(64)));

static void Show(const char* what, unsigned at, unsigned size) {
  uint64_t sum = 0;
  for (unsigned i = 0; i < size; ++i) sum = sum << 8 | area[at + i];
  printf("%s: %llx\n", what, (unsigned long long)sum);
}

static void Handler(int number, siginfo_t* info, void* context) {
  (void)number, (void)info;
  const struct _libc_fpstate* const state = ((ucontext_t*)context)->uc_mcontext.fpregs;
  printf("in a frame: %llx %llx %x\n", (unsigned long long)state->rip, (unsigned long long)state->rdp, state->fop);
}

#define LAST __asm__ volatile("fninit; fld1; fldz; fstps %0" : "=m"(last))

int main(void) {
  static float last;
  struct sigaction action = {.sa_sigaction = Handler, .sa_flags = SA_SIGINFO};
  LAST;
  __asm__ volatile("fnstenv %0" : "=m"(area));
  Show("fnstenv, control word", 0, 2);
  Show("fnstenv, pointers", 12, 16);
  LAST;
  __asm__ volatile("data16 fnstenv %0" : "=m"(area));
  Show("fnstenv of 16 bits", 6, 8);
  LAST;
  __asm__ volatile("fnsave (%0)" : : "r"(area + 64) : "memory");
  Show("fnsave", 64 + 12, 16);
  LAST;
  __asm__ volatile("fxsave64 8(%0,%1,8)" : : "r"(area), "r"(15L) : "memory");
  Show("fxsave64, opcode", 128 + 6, 2);
  Show("fxsave64, pointers", 128 + 8, 8);
  Show("fxsave64, operand", 128 + 16, 8);
  LAST;
  __asm__ volatile("movq %0, %%r12; fxsave64 (%%r12)" : : "r"(area) : "r12", "memory");
  Show("fxsave64 by r12", 6, 18);
  LAST;
  __asm__ volatile("leaq -1024(%0), %%r13; fxsave 1024(%%r13)" : : "r"(area) : "r13", "memory");
  Show("fxsave by r13, far", 6, 18);
  Show("fxsave by r13, the register behind", 32, 10);
  LAST;
  __asm__ volatile("fxsave %0" : "=m"(area));
  Show("fxsave", 8, 8);
  memset(area, 0, sizeof area);
  LAST;
  __asm__ volatile("xsave (%0)" : : "r"(area), "a"(7), "d"(0) : "memory");
  Show("xsave", 8, 8);
  memset(area, 0x55, 512);
  LAST;
  __asm__ volatile("xsave (%0)" : : "r"(area), "a"(6), "d"(0) : "memory");  // not of x87: its part stays as it was
  Show("xsave without x87", 8, 8);
  memset(area, 0x55, 512);
  LAST;
  __asm__ volatile("movl $6, %%eax; xorl %%edx, %%edx; movq %%rdx, 8(%0); xsave (%0)" : : "r"(area) : "rax", "rdx", "memory");
  Show("xsave without x87, known beforehand", 16, 8);
  sigaction(SIGUSR1, &action, 0);
  LAST;
  raise(SIGUSR1);
  puts("END");
  return 0;
}
