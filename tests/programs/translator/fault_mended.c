// Faults that a handler mends, so that the same instruction is executed again: pages made writable one by one, by a
// store, by a push, by a call, and within one rep instruction.
#include "program.h"

#include <signal.h>
#include <sys/mman.h>

static char* volatile area;
static volatile int faults;

static void Mends(int sig, siginfo_t* info, void* context) {
  (void)sig, (void)context;
  const long page = ((char*)info->si_addr - area) / 4096;
  ++faults;
  if (page < 0 || page > 31) _exit(3);
  mprotect(area + page * 4096, 4096, PROT_READ | PROT_WRITE);
}

int main(void) {
  static char stack[16384];
  const stack_t alternative = {.ss_sp = stack, .ss_size = sizeof stack};
  sigaltstack(&alternative, NULL);
  struct sigaction action = {.sa_sigaction = Mends, .sa_flags = SA_SIGINFO | SA_ONSTACK};
  sigaction(SIGSEGV, &action, NULL);
  area = mmap(NULL, 32 * 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  for (int i = 0; i < 4; ++i) ((volatile int*)area)[i * 1024 + 5] += i;
  printf("stores %d\n", faults);
  void* to = area + 5 * 4096 - 100;
  unsigned long count = 3 * 4096;
  __asm__ volatile("rep stosb" : "+D"(to), "+c"(count) : "a"(7) : "memory");
  printf("rep %d %ld %lu\n", faults, (char*)to - area, count);
  void* saved;
  void* top = area + 16 * 4096 + 8;
  __asm__ volatile(
      "movq %%rsp, %0\n movq %1, %%rsp\n"
      "pushq $5\n pushq $6\n"           // the second one is in the page below
      "call 1f\n 1: popq %%rax\n"
      "leaq -8176(%%rsp), %%rsp\n call 2f\n jmp 3f\n"
      "2: ret\n"
      "3: movq %0, %%rsp\n"
      : "=&r"(saved)
      : "r"(top)
      : "rax", "memory", "cc");
  printf("stack %d\n", faults);
  mprotect(area, 32 * 4096, PROT_READ);
  for (int i = 0; i < 32; ++i) area[i * 4096 + i] ^= 1;
  printf("again %d\n", faults);
  End();
  return 0;
}
