// rt_sigreturn as a jump: a frame made by hand that no signal built, which sets every register and the flags.
#include "program.h"

#include <sys/syscall.h>
#include <ucontext.h>

extern const char arrived[];

int main(void) {
  static struct {
    ucontext_t context;
    char more[1024];
  } frame __attribute__((aligned(64)));
  long sum = 0;
  for (int i = 0; i < 5; ++i) {
    greg_t* registers = frame.context.uc_mcontext.gregs;
    memset(&frame, 0, sizeof frame);
    registers[REG_RIP] = (greg_t)arrived;
    registers[REG_CSGSFS] = 0x33 | (0x2bL << 48);
    registers[REG_EFL] = 0x202 | (i & 1) | ((i & 2) << 5);
    registers[REG_RAX] = 100 + i;
    registers[REG_RBX] = 200;
    registers[REG_RCX] = 300;
    registers[REG_R11] = 400;
    long a, b, c, d, carry, zero;
    __asm__ volatile(
        "movq %%rsp, %[rsp]\n movq %%rbp, %[rbp]\n movq %[frame], %%rsp\n movl $15, %%eax\n syscall\n ud2\n"
        ".globl arrived\narrived:\n"
        "setc %%dl\n setz %%sil\n movzbl %%dl, %%edx\n movzbl %%sil, %%esi\n movq %%r11, %%rdi\n"
        : [rsp] "=m"(registers[REG_RSP]), [rbp] "=m"(registers[REG_RBP]), "=&a"(a), "=&b"(b), "=&c"(c), "=&D"(d),
          "=&d"(carry), "=&S"(zero)
        : [frame] "r"(&frame)
        : "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15", "memory", "cc");
    printf("%ld %ld %ld %ld %ld %ld\n", a, b, c, d, carry, zero);
    sum += a + b + c + d;
  }
  printf("%ld\n", sum);
  End();
  return 0;
}
