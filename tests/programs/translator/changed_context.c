// A handler that changes the context it returns to: registers, flags, vector registers, the stack pointer and the
// place where the program goes on.
#include "program.h"

#include <signal.h>
#include <ucontext.h>

extern const char elsewhere[];

static void Changes(int sig, siginfo_t* info, void* context) {
  ucontext_t* frame = context;
  greg_t* registers = frame->uc_mcontext.gregs;
  (void)sig, (void)info;
  registers[REG_RBX] = 1234;
  registers[REG_R15] = registers[REG_R15] * 2;
  registers[REG_R11] = 77;
  registers[REG_RCX] = 88;
  registers[REG_EFL] ^= 0x41;  // carry and zero
  registers[REG_RIP] = (greg_t)elsewhere;
  frame->uc_mcontext.fpregs->_xmm[3].element[0] += 5;
}

int main(void) {
  struct sigaction action = {.sa_sigaction = Changes, .sa_flags = SA_SIGINFO};
  sigaction(SIGILL, &action, NULL);
  long sum = 0;
  for (int i = 0; i < 10; ++i) {
    long rbx, vector, rcx, r11;
    register long r15 __asm__("r15") = i;
    int carry, zero;
    __asm__ volatile(
        "movl $0, %%ebx\n movl $40, %%eax\n movd %%eax, %%xmm3\n"
        "cmpl $5, %[i]\n"
        "ud2\n"
        "movl $9999, %%ebx\n"
        ".globl elsewhere\nelsewhere:\n"
        "setc %%al\n setz %%dl\n movzbl %%al, %%eax\n movzbl %%dl, %%edx\n movq %%xmm3, %%rsi\n movq %%r11, %%rdi\n"
        : "=&b"(rbx), "=&a"(carry), "=&d"(zero), "=&S"(vector), "=&c"(rcx), "=&D"(r11), "+r"(r15)
        : [i] "r"(i)
        : "xmm3", "r11", "cc", "memory");
    sum = sum * 3 + rbx + r15 + vector + carry * 2 + zero + rcx + r11;
    printf("%d %d %ld %ld %ld %ld\n", carry, zero, rbx, vector, rcx, r11);
  }
  printf("%ld\n", sum);
  End();
  return 0;
}
