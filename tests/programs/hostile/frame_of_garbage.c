// Tries: to return from a signal handler that was never entered, with a stack of garbage, odd selectors and a trap flag.
// Kernel: rt_sigreturn(2) takes every register from the user's stack, as long as it can read it (arch/x86/kernel/signal_64.c).
// Stopped by: the kernel forces the selectors' privilege and answers a bad frame by SIGSEGV; in translation the target is no code.
// Run: -- => RE RV
// Run: -- 0x33 0x400000 => RE
// Run: -- 0x23 0x400000 => RE RV
// Run: -- 0xffff 0x7fffffffffff => RE RV
#define _GNU_SOURCE
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

int main(int argc, char** argv) {
  static _Alignas(64) unsigned char area[8192];
  memset(area, 0x55, sizeof area);
  ucontext_t* context = (ucontext_t*)(area + 2048);
  if (argc > 2) {
    memset(context, 0, sizeof *context);
    const uint64_t selector = strtoull(argv[1], NULL, 0);
    context->uc_mcontext.gregs[REG_RIP] = (long long)strtoull(argv[2], NULL, 0);
    context->uc_mcontext.gregs[REG_RSP] = (long long)(uintptr_t)(area + 1024);
    context->uc_mcontext.gregs[REG_EFL] = 0x40102;
    context->uc_mcontext.gregs[REG_CSGSFS] = (long long)(selector | 0x2bULL << 48);
  }
  __asm__ volatile("mov %0, %%rsp\n\tmov $15, %%eax\n\tsyscall\n\thlt" : : "r"(context) : "rax", "memory");
  return 0;
}
