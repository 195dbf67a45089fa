// What a handler sees of a fault: its code, the address it touched, the instruction that made it, and registers;
// printed relative to the program's own symbols. The handler steps over the instruction.
#include "program.h"

#include <signal.h>
#include <ucontext.h>

extern const char at_load[], at_store[], at_divide[], at_ud2[], at_int3[], at_push[], at_call[], at_rep[],
    after_load[], after_store[], after_divide[], after_ud2[], after_push[], after_call[], after_rep[];
static char* hole;

static void OnFault(int sig, siginfo_t* info, void* context) {
  greg_t* registers = ((ucontext_t*)context)->uc_mcontext.gregs;
  const char* pc = (const char*)registers[REG_RIP];
  const struct {
    const char *name, *at, *after;
  } places[] = {{"load", at_load, after_load},       {"store", at_store, after_store},
                {"divide", at_divide, after_divide}, {"ud2", at_ud2, after_ud2},
                {"int3", at_int3 + 1, at_int3 + 1},  {"push", at_push, after_push},
                {"call", at_call, after_call},       {"rep", at_rep, after_rep}};
  for (size_t i = 0; i < sizeof places / sizeof places[0]; ++i) {
    if (pc != places[i].at) continue;
    printf("%s: signal %d code %d rbx %lld rcx %lld r12 %lld flags %llx trap %lld error %lld", places[i].name, sig,
           info->si_code, registers[REG_RBX], registers[REG_RCX], registers[REG_R12],
           (unsigned long long)registers[REG_EFL] & 0x8d5, registers[REG_TRAPNO], registers[REG_ERR]);
    if (sig == SIGSEGV) printf(" hole + %ld", (long)((char*)info->si_addr - hole));
    if (sig == SIGFPE || sig == SIGILL) printf(" address %d", info->si_addr == (void*)pc);
    printf("\n");
    registers[REG_RIP] = (greg_t)places[i].after;
    if (pc == at_push) registers[REG_RSP] = registers[REG_R13];
    if (pc == at_call) registers[REG_RSP] = registers[REG_R13];
    return;
  }
  printf("somewhere else: signal %d\n", sig);
  exit(3);
}

int main(void) {
  struct sigaction action = {.sa_sigaction = OnFault, .sa_flags = SA_SIGINFO | SA_ONSTACK};
  static char stack[32768];
  const stack_t alternative = {.ss_sp = stack, .ss_size = sizeof stack};
  sigaltstack(&alternative, NULL);
  static const int kSignals[] = {SIGSEGV, SIGFPE, SIGILL, SIGTRAP, SIGBUS};
  for (int i = 0; i < 5; ++i) sigaction(kSignals[i], &action, NULL);
  action.sa_flags |= SA_NODEFER;  // who single-steps a program that blocks SIGTRAP takes its handler away
  sigaction(SIGTRAP, &action, NULL);
  hole = (char*)0x10000;  // nothing is mapped there
  static char source[64];
  for (int round = 0; round < 3; ++round) {
    __asm__ volatile(
        "movl $1, %%ebx\n movl $2, %%ecx\n leal 5(%%rax), %%r12d\n cmpl $7, %%r12d\n"
        ".globl at_load\nat_load: movq 24(%[hole]), %%rax\n.globl after_load\nafter_load:\n"
        "incl %%ebx\n"
        ".globl at_store\nat_store: movl %%ebx, 100(%[hole], %%rcx, 4)\n.globl after_store\nafter_store:\n"
        "incl %%ebx\n xorl %%eax, %%eax\n xorl %%edx, %%edx\n movl $0, %%ecx\n cmpl $-1, %%ebx\n"
        ".globl at_divide\nat_divide: divl %%ecx\n.globl after_divide\nafter_divide:\n"
        "incl %%ebx\n"
        ".globl at_ud2\nat_ud2: ud2\n.globl after_ud2\nafter_ud2:\n"
        "incl %%ebx\n"
        ".globl at_int3\nat_int3: int3\n"
        "incl %%ebx\n movq %%rsp, %%r13\n leaq 4096(%[hole]), %%rsp\n"
        ".globl at_push\nat_push: pushq %%rbx\n.globl after_push\nafter_push:\n"
        "incl %%ebx\n leaq 8192(%[hole]), %%rsp\n leaq after_call(%%rip), %%rdx\n"
        ".globl at_call\nat_call: call *%%rdx\n.globl after_call\nafter_call:\n"
        "incl %%ebx\n leaq 1(%[hole]), %%rdi\n movl $50, %%ecx\n"
        ".globl at_rep\nat_rep: rep movsb\n.globl after_rep\nafter_rep:\n"
        : "+a"(round)
        : [hole] "r"(hole), "S"(source)
        : "rbx", "rcx", "rdx", "rdi", "r12", "r13", "memory", "cc");
    round = round < 0 ? 0 : round;
    static int rounds;
    if (++rounds == 2) break;
    round = 0;
  }
  End();
  return 0;
}
