// Looks at what is the processor's beside its registers: components of xsave by every mask, xsaveopt, what arch_prctl says
// of them, and the last trap's number in a signal that is none.
// Kernel: components of the real processor (protection keys, tiles) are there for xsave and xrstor if it has them; xsaveopt leaves out
// what was not modified since it was loaded, unless the kernel loaded it anew meanwhile.
// Tally: OK; counted by translator or step the components are x87, SSE and AVX, and each run prints the same.
#include "program.h"

#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>
#include <ucontext.h>

static unsigned char area[16384] __attribute__((aligned(64)));
static uint64_t header(void) {
  uint64_t word;
  memcpy(&word, area + 512, sizeof word);
  return word;
}

static volatile long error = -1, trap = -1;
static void handler(int number, siginfo_t* info, void* context) {
  (void)number, (void)info;
  const ucontext_t* c = context;
  error = c->uc_mcontext.gregs[REG_ERR];
  trap = c->uc_mcontext.gregs[REG_TRAPNO];
}

static sigjmp_buf before_fault;
static void faulted(int number, siginfo_t* info, void* context) {
  (void)number, (void)context;
  printf("si_code %d, si_addr %p\n", info->si_code, info->si_addr);
  siglongjmp(before_fault, 1);
}

int main(void) {
  unsigned low = ~0U, high = ~0U;
  __asm__ volatile("xsave %0" : "+m"(area), "+a"(low), "+d"(high));
  printf("xsave: beyond AVX %#lx, edx:eax %x:%x\n", (unsigned long)(header() & ~7ULL), high, low);
  // As the dynamic linker does: what the virtual processor lacks is not written, and eax stays.
  memset(area, 0x5a, sizeof area);
  memset(area + 512, 0, 64);
  __asm__ volatile("mov $0xee, %%eax\n xor %%edx, %%edx\n xsave %0" : "+m"(area), "=a"(low), "=d"(high));
  unsigned long written = 0;
  for (unsigned i = 832; i < sizeof area; ++i) written += area[i] != 0x5a;
  printf("xsave of vectors: beyond AVX %lu bytes, edx:eax %x:%x\n", written, high, low);
  // Protection keys: reading all of them denied. To who has none it is a fault, and who has them finds them as they were.
  memset(area, 0, sizeof area);
  const uint64_t keys = 1 << 9;
  memcpy(area + 512, &keys, sizeof keys);
  memset(area + 2432, 0x55, 8);
  area[2432] = 0x54;
  low = 1 << 9, high = 0;
  struct sigaction action = {.sa_flags = SA_SIGINFO};
  action.sa_sigaction = handler;
  sigaction(SIGUSR1, &action, NULL);
  struct sigaction recover = {.sa_sigaction = faulted, .sa_flags = SA_SIGINFO};
  sigaction(SIGSEGV, &recover, NULL);
  if (sigsetjmp(before_fault, 1) == 0) {
    __asm__ volatile("xrstor %2" : "+a"(low), "+d"(high) : "m"(area));
    printf("keys: loaded\n");
  } else {
    printf("keys: refused\n");
  }
  memset(area, 0, sizeof area);
  area[512 + 8 + 7] = 0x80;  // the compacted form
  low = 7, high = 0;
  if (sigsetjmp(before_fault, 1) == 0) {
    __asm__ volatile("xrstor %2" : "+a"(low), "+d"(high) : "m"(area));
    printf("compacted: loaded\n");
  } else {
    printf("compacted: refused\n");
  }
  memset(area, 0, sizeof area);
  area[24 + 1] = 0x1f;  // MXCSR
  low = 1 << 9, high = 0;
  __asm__ volatile("xrstor %2" : "+a"(low), "+d"(high) : "m"(area));
  printf("xrstor: edx:eax %x:%x\n", high, low);
  raise(SIGUSR1);
  printf("signal: error %ld, trap %ld\n", error, trap);
  // What xrstor has loaded from there, and nothing has modified since, xsaveopt may leave out.
  int left_out = 0;
  for (int i = 0; i < 100; ++i) {
    const unsigned vectors = 6;
    __asm__ volatile("xsave %0\n\txrstor %0\n\tmovq $0x77, 160+%0\n\txsaveopt %0" : "+m"(area) : "a"(vectors), "d"(0));
    left_out += area[160] == 0x77;
  }
  printf("xsaveopt: %d times something left out\n", left_out);
  for (unsigned long what = 0x1021; what <= 0x1025; ++what) {
    uint64_t mask = 0;
    const long result = syscall(SYS_arch_prctl, what, what == 0x1023 || what == 0x1025 ? 18UL : (unsigned long)&mask);
    Report("arch_prctl", result);
    printf("components %#lx\n", (unsigned long)mask);
  }
  End();
  return 0;
}
