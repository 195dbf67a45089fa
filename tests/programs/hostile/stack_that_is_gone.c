// Tries: to make a signal, a fault, a system call or the judge's own work need a stack where there is none: it unmaps the stack
//   that it stands on, or sets rsp to nothing, and goes on in registers alone.
// Kernel: a program needs no stack until it pushes; a signal that finds none is SIGSEGV.
// Stopped by: nothing of the judge's uses the program's stack (tracing/injection.h, docs/translator.md).
// Run: same -- exit => OK
// Run: same -- fault => RE
// Run: same -- alarm => RE
// Run: same -- write => OK
// Run: same -- push => RE
// Run: same -- cpuid => OK
// Run: time=0.15 -- loop => TLE
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>

static void nothing(int number) { (void)number; }

int main(int argc, char** argv) {
  const char* const how = argc > 1 ? argv[1] : "exit";
  static const char text[] = "text\n";
  long what = 0;
  const char* const names[] = {"exit", "fault", "alarm", "write", "push", "cpuid", "loop"};
  for (long i = 0; i < 7; ++i) {
    if (strcmp(how, names[i]) == 0) what = i;
  }
  signal(SIGALRM, nothing);
  if (what == 2) setitimer(ITIMER_REAL, &(struct itimerval){{0, 0}, {0, 20000}}, NULL);
  const unsigned long stack = (unsigned long)&what;
  const unsigned long first = (stack & ~0xfffUL) - (64 << 10);
  __asm__ volatile(
      "movq %2, %%r12; movl $11, %%eax; syscall; movq $64, %%rsp\n"
      "cmpq $1, %%r12; je 1f; cmpq $2, %%r12; je 2f; cmpq $3, %%r12; je 3f; cmpq $4, %%r12; je 4f; cmpq $5, %%r12; je 5f\n"
      "cmpq $6, %%r12; je 2f\n"
      "0: movl $231, %%eax; xorl %%edi, %%edi; syscall\n"
      "1: ud2\n"
      "2: jmp 2b\n"
      "3: movl $1, %%eax; movl $1, %%edi; leaq %c3(%%rip), %%rsi; movl $5, %%edx; syscall; jmp 0b\n"
      "4: pushq %%rax; jmp 0b\n"
      "5: xorl %%eax, %%eax; cpuid; rdtsc; jmp 0b\n"
      :
      : "D"(first), "S"(1UL << 20), "r"(what), "i"(text)
      : "r12", "memory");
  return 1;
}
