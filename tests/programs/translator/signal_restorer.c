// A handler returns to a place that nothing called, where the flags may be alive, and whose address has the same low 16
// bits as that of a call's continuation where they are dead.
#include "program.h"

#include <signal.h>
#include <sys/syscall.h>

__asm__(
    ".pushsection .text.aside, \"ax\", @progbits\n"
    ".balign 65536\n"
    ".skip 0xf0, 0x90\n"
    ".globl calls_beside\ncalls_beside:\n"
    "push %rbx\n"
    ".skip 10, 0x90\n"
    "call nothing\n"
    "cmp $0, %eax\n"  // at 0x100
    "pop %rbx\n"
    "ret\n"
    "nothing: ret\n"
    ".balign 65536\n"
    ".skip 0x100, 0x90\n"
    ".globl restorer\nrestorer:\n"
    "mov $15, %eax\n"
    "syscall\n"
    ".popsection\n");
void calls_beside(void);
void restorer(void);

static volatile int signals;
static void Count(int signal) { signals += signal == SIGUSR1; }

int main(void) {
  struct {
    void (*handler)(int);
    unsigned long flags;
    void (*restorer)(void);
    unsigned long mask;
  } action = {Count, 0x04000000, restorer, 0};  // SA_RESTORER
  syscall(SYS_rt_sigaction, SIGUSR1, &action, NULL, 8);
  for (int i = 0; i < 3; ++i) {
    calls_beside();
    raise(SIGUSR1);
  }
  printf("%d signals\n", signals);
  End();
  return 0;
}
