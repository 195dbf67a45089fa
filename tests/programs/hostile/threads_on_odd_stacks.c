// Tries: to start tasks that cannot take a step: threads and children whose stack is nowhere, read-only, in the kernel, in code, or
//   the parent's own, whose TLS is in the kernel, and who signal, fault or call at once.
// Kernel: clone(2) takes any stack and any TLS address that is canonical, and tells nobody when the first push faults.
// Stopped by: the fault is the program's own; starting a task needs nothing on its stack.
// Run: processes=4 -- nowhere => RE
// Run: processes=4 -- kernel => RE
// Run: processes=4 -- odd => OK RE
// Run: processes=4 -- readonly => RE
// Run: processes=4 -- tls => OK RE
// Run: processes=4 -- quiet => OK
// Run: processes=4 -- code => OK RE
#define _GNU_SOURCE
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

static int is(const char* a, const char* b) { return strcmp(a, b) == 0; }

// The new thread pushes (or not) and ends.
static long start(unsigned long flags, void* stack, unsigned long tls, int pushes) {
  register unsigned long r8 __asm__("r8") = tls;
  register unsigned long r10 __asm__("r10") = 0;
  register long r12 __asm__("r12") = pushes;
  long result = SYS_clone;
  __asm__ volatile(
      "syscall; testq %%rax, %%rax; jnz 2f\n"
      "testq %%r12, %%r12; jz 1f; pushq $1; popq %%rax\n"
      "1: movl $60, %%eax; xorl %%edi, %%edi; syscall; jmp 1b\n"
      "2:"
      : "+a"(result)
      : "D"(flags), "S"(stack), "d"(0L), "r"(r10), "r"(r8), "r"(r12)
      : "rcx", "r11", "memory", "cc");
  return result;
}

int main(int argc, char** argv) {
  const char* const how = argc > 1 ? argv[1] : "nowhere";
  char* const area = mmap(NULL, 1 << 16, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  const unsigned long thread = CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM;
  void* stack = area + (1 << 16);
  unsigned long flags = thread, tls = 0;
  if (is(how, "nowhere") || is(how, "quiet")) stack = (void*)0x1000;
  if (is(how, "kernel")) stack = (void*)0xffffffff81000000;
  if (is(how, "odd")) stack = area + 32769;
  if (is(how, "readonly")) mprotect(area, 1 << 16, PROT_READ);
  if (is(how, "tls")) flags |= CLONE_SETTLS, tls = 0x7fffffffffff;
  if (is(how, "code")) {
    mprotect(area, 1 << 16, PROT_READ | PROT_WRITE | PROT_EXEC);
    memset(area, 0xc3, 1 << 16);
    ((void (*)(void))(uintptr_t)(area + 65000))();
  }
  if (start(flags, stack, tls, !is(how, "quiet")) < 0) return 3;
  usleep(30000);
  return 0;
}
