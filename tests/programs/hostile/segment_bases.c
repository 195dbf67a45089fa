// Tries: to find or to move the judge's own data, which may lie where gs points: the bases of fs and gs read and set by
//   instructions and by calls, in odd places, in the kernel, with selectors loaded in between.
// Kernel: with FSGSBASE a program reads and sets both bases itself (elsewhere: SIGILL, or what the next switch of tasks undoes);
//   arch_prctl(2) does so for it.
// Stopped by: the gs that a program sets is its own, and the counters' one is none that it has a name for; the virtual CPU has no
//   FSGSBASE.
// Run: same -- read => OK
// Run: same -- call => OK
// Run: -- instruction => OK
// Run: only=translated -- absent => OK
// Run: -- odd => OK RE RV
// Run: -- kernel => OK RE RV
// Run: -- selector => OK RE RV
#define _GNU_SOURCE
#include <asm/prctl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static int is(const char* a, const char* b) { return strcmp(a, b) == 0; }
static uint64_t data[4] = {111, 222, 333, 444};
static sigjmp_buf back;
static void handler(int number) { siglongjmp(back, number); }
static uint64_t gs_value(void) {
  uint64_t value;
  __asm__ volatile("movq %%gs:8, %0" : "=r"(value) : : "memory");
  return value;
}
static uint64_t rdgsbase(void) {
  uint64_t value;
  __asm__ volatile("rdgsbase %0" : "=r"(value) : : "memory");
  return value;
}
static void wrgsbase(uint64_t value) { __asm__ volatile("wrgsbase %0" : : "r"(value) : "memory"); }

int main(int argc, char** argv) {
  const char* const how = argc > 1 ? argv[1] : "read";
  signal(SIGSEGV, handler);
  signal(SIGILL, handler);
  uint64_t base = 1;
  const int number = sigsetjmp(back, 1);
  if (is(how, "absent")) {
    if (number == 0) rdgsbase();
    return number == SIGILL ? 0 : 1;
  }
  if (number != 0) return printf("signal\n") < 0;
  if (is(how, "read")) {
    syscall(SYS_arch_prctl, ARCH_GET_GS, &base);
    printf("%lu\n", (unsigned long)base);
    printf("%lu\n", (unsigned long)gs_value());
  }
  if (is(how, "call")) {
    syscall(SYS_arch_prctl, ARCH_SET_GS, data);
    printf("%lu\n", (unsigned long)gs_value());
    syscall(SYS_arch_prctl, ARCH_GET_GS, &base);
    printf("%d\n", base == (uint64_t)(uintptr_t)data);
  }
  if (is(how, "instruction")) {
    wrgsbase((uint64_t)(uintptr_t)data);
    printf("%lu %d\n", (unsigned long)gs_value(), rdgsbase() == (uint64_t)(uintptr_t)data);
    syscall(SYS_arch_prctl, ARCH_GET_GS, &base);
    printf("%d\n", base == (uint64_t)(uintptr_t)data);
  }
  if (is(how, "odd")) wrgsbase(0x7ffffffffffc), printf("%lu\n", (unsigned long)gs_value());
  if (is(how, "kernel")) wrgsbase(0xffffffff81000000), printf("%lu\n", (unsigned long)gs_value());
  if (is(how, "selector")) {
    wrgsbase((uint64_t)(uintptr_t)data);
    __asm__ volatile("movw %w0, %%gs" : : "r"(0) : "memory");
    __asm__ volatile("movw %w0, %%gs" : : "r"(0x2b) : "memory");
    printf("%lu\n", (unsigned long)gs_value());
  }
  return 0;
}
