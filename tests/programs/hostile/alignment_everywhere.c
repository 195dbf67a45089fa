// Tries: to have the judge's own code fault: with alignment checks on, it loads, stores, pushes, calls, copies and asks the kernel
//   at odd addresses.
// Kernel: the flag AC makes each access of ring 3 at an odd address SIGBUS, and a handler is entered with the flag still set.
// Stopped by: the fault is the program's own, at its own instruction; what a translator adds accesses aligned memory alone.
// Run: same -- => OK
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#define ON "pushfq; orq $0x40000, (%%rsp); popfq; "
#define OFF "; pushfq; andq $~0x40000, (%%rsp); popfq"

static sigjmp_buf back;
static void handler(int number) {
  __asm__ volatile("pushfq; andq $~0x40000, (%%rsp); popfq" : : : "memory", "cc");
  siglongjmp(back, number);
}

static uint64_t area[16] __attribute__((aligned(64)));
static uint8_t* code;

static void act(int what) {
  uint8_t* const odd = (uint8_t*)area + 1;
  uint64_t value = 0, stack, count = 3;
  const uint8_t *from = odd;
  uint8_t* to = odd + 64;
  long result = SYS_getppid;
  uint8_t* target = code;
  switch (what) {
    case 0: __asm__ volatile(ON "movq (%1), %0" OFF : "=&r"(value) : "r"(odd) : "memory", "cc"); break;
    case 1: __asm__ volatile(ON "movq %0, (%1)" OFF : : "r"(value), "r"(odd) : "memory", "cc"); break;
    case 2: __asm__ volatile(ON "movb (%1), %b0" OFF : "=&r"(value) : "r"(odd) : "memory", "cc"); break;
    case 3: __asm__ volatile(ON "movq %%rsp, %0; leaq 121(%1), %%rsp; pushq $1; movq %0, %%rsp" OFF : "=&r"(stack) : "r"(odd - 1) : "memory", "cc"); break;
    case 4: __asm__ volatile(ON "rep movsq" OFF : "+S"(from), "+D"(to), "+c"(count) : : "memory", "cc"); break;
    case 5: __asm__ volatile(ON "syscall" OFF : "+a"(result) : : "rcx", "r11", "memory", "cc"); break;
    case 6: __asm__ volatile(ON "call *%0" OFF : "+r"(target) : : "rax", "memory", "cc"); break;
    case 7: __asm__ volatile(ON "cpuid" OFF : "=a"(value) : "a"(0) : "rbx", "rcx", "rdx", "memory", "cc"); break;
    case 8: __asm__ volatile(ON "lock; incq (%0)" OFF : : "r"(odd) : "memory", "cc"); break;
    case 9: __asm__ volatile(ON "xorl %%eax, %%eax; rdtsc" OFF : : : "rax", "rdx", "memory", "cc"); break;
    default: __asm__ volatile(ON "movl (%0), %%eax; ud2" OFF : : "r"(odd + 3) : "rax", "memory", "cc"); break;
  }
}

int main(void) {
  static char other[1 << 16];
  sigaltstack(&(stack_t){.ss_sp = other, .ss_size = sizeof other}, NULL);
  const struct sigaction action = {.sa_handler = handler, .sa_flags = SA_ONSTACK};
  sigaction(SIGBUS, &action, NULL);
  sigaction(SIGILL, &action, NULL);
  for (volatile int what = 0; what < 11; ++what) {
    code = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    memcpy(code + 1, "\xb8\x01\x00\x00\x00\xc3", 6);
    code += 1;
    const int number = sigsetjmp(back, 1);
    if (number == 0) act(what);
    printf("%d: %d\n", what, number);
  }
  return 0;
}
