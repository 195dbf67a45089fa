// Tries: to pass for another system call: numbers and arguments with bits in the upper halves of their registers, which the
//   kernel does not look at. A thread by "clone" with such a number, F_SETOWN, F_SETSIG
//   and typing into a terminal, a vDSO of its own whose code is executed untranslated, address tags, a shadow
//   stack.
// Kernel: a system call's number and int arguments are 32 bits (entry/common.c, SYSCALL_DEFINE).
// Stopped by: who shares what with whom is asked of the kernel (kcmp(2)); filters compare the lower half, and of a stopped call's
//   int arguments the upper half is cleared where it is read (tracing/int_arguments.h).
// Run: only=full processes=4 -- clone => OK
// Run: -- setown => RV
// Run: -- setsig => RV
// Run: -- tiocsti => RV
// Run: only=native -- vdso => OK
// Run: only=translated -- vdso => RV
// Run: only=translated -- tags => RV
// Run: only=translated -- shadow => RV
#define _GNU_SOURCE
#include <fcntl.h>
#include <sched.h>
#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile int shared;
static char stack[65536] __attribute__((aligned(16)));

static long raw(long number, long a, long b, long c) {
  long result;
  __asm__ volatile("syscall" : "=a"(result) : "0"(number), "D"(a), "S"(b), "d"(c) : "rcx", "r11", "memory");
  return result;
}

int main(int argc, char** argv) {
  const char* how = argc > 1 ? argv[1] : "clone";
  if (strcmp(how, "setown") == 0) return raw(SYS_fcntl, 0, 0x100000000L | F_SETOWN, getpid()) < -4095;
  if (strcmp(how, "setsig") == 0) return raw(SYS_fcntl, 0, 0x7fffffff00000000L | F_SETSIG, 9) < -4095;
  if (strcmp(how, "tiocsti") == 0) return raw(SYS_ioctl, 0, 0x500005412L, (long)stack) < -4095;
  if (strcmp(how, "vdso") == 0) return raw(SYS_arch_prctl, 0x100002003L, 0x20000000, 0) < -4095;
  if (strcmp(how, "tags") == 0) return raw(SYS_arch_prctl, 0x7000000000004002L, 6, 0) < -4095;
  if (strcmp(how, "shadow") == 0) return raw(SYS_arch_prctl, -0xffffafffL, 1, 0) < -4095;
  const long flags = CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM;
  long result;
  __asm__ volatile(
      "mov %2, %%rdi\n\tmov %3, %%rsi\n\txor %%edx, %%edx\n\txor %%r10d, %%r10d\n\txor %%r8d, %%r8d\n\tsyscall\n\t"
      "test %%eax, %%eax\n\tjnz 1f\n\tmovl $7, %4\n\tmov $60, %%eax\n\txor %%edi, %%edi\n\tsyscall\n1:"
      : "=a"(result)
      : "0"(0x100000000L | SYS_clone), "r"(flags), "r"(stack + sizeof stack - 64), "m"(shared)
      : "rdi", "rsi", "rdx", "r10", "r8", "rcx", "r11", "memory");
  for (int i = 0; i < 100000 && shared == 0; ++i) sched_yield();
  return shared != 7;
}
