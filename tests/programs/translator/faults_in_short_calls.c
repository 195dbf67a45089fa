// Faults in functions that return in a few instructions: what a handler sees there, and that everything goes on as if nothing had been.
#include "program.h"

#include <signal.h>
#include <ucontext.h>

__asm__(
    ".pushsection .text\n"
    "loads: mov (%rdi), %rax\n"
    "loads_behind: add $1, %rax\n"
    "ret\n"
    "loads_late: push %rbx\n"
    "mov $5, %ebx\n"
    "cmp $3, %rsi\n"
    "je 1f\n"
    "loads_there: mov (%rdi), %rax\n"
    "loads_there_behind: pop %rbx\n"
    "ret\n"
    "1: mov %rbx, %rax\n"
    "pop %rbx\n"
    "ret\n"
    ".globl call_short\ncall_short:\n"
    "mov $0x7777, %r11d\n"
    "call loads\n"
    "short_back: mov %rax, %rdx\n"
    "xor %eax, %eax\n"
    "call loads_late\n"
    "late_back: add %rax, %rdx\n"
    "lea loads(%rip), %rax\n"
    "call *%rax\n"
    "pointer_back: add %rdx, %rax\n"
    "cmp $0x7777, %r11d\n"
    "je 1f\n"
    "ud2\n"
    "1: ret\n"
    ".popsection\n");
extern const char loads[], loads_behind[], loads_there[], loads_there_behind[], short_back[], late_back[], pointer_back[];
long call_short(const long* from, long way);

static void OnFault(int sig, siginfo_t* info, void* context) {
  greg_t* r = ((ucontext_t*)context)->uc_mcontext.gregs;
  const greg_t* top = (const greg_t*)r[REG_RSP];
  const int is_first = r[REG_RIP] == (greg_t)loads;
  const greg_t back = top[is_first ? 0 : 1];
  const char* const from = back == (greg_t)short_back ? "short" : back == (greg_t)pointer_back ? "pointer" : back == (greg_t)late_back ? "late" : "?";
  printf("%d: %s r11 %llx rbx %s back %s address %p\n", sig, is_first ? "loads" : r[REG_RIP] == (greg_t)loads_there ? "loads_there" : "?",
         (unsigned long long)r[REG_R11], r[REG_RBX] == 5 ? "5" : "?", from, info->si_addr);
  r[REG_RAX] = 40;
  r[REG_RIP] = (greg_t)(is_first ? loads_behind : loads_there_behind);
}

int main(void) {
  struct sigaction action = {.sa_sigaction = OnFault, .sa_flags = SA_SIGINFO};
  sigaction(SIGSEGV, &action, NULL);
  const long value = 2;
  for (int i = 0; i < 3; ++i) {
    printf("%ld %ld\n", call_short(&value, 3), call_short(&value, 4));
    printf("%ld\n", call_short((const long*)16, 4));
    printf("%ld\n", call_short((const long*)32, 3));
  }
  End();
  return 0;
}
