// Tries: to find traces of the judge in registers, or to lose its own: every vector register, x87 and mask state filled, then new
//   code, system calls, faults, signals and answered instructions in between.
// Kernel: all extended state belongs to the program, and a signal's frame has it all.
// Stopped by: a translator's own code uses no extended state, and a stop puts all of it back.
// Run: same -- => OK
#include <cpuid.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

static void handler(int number) {
  (void)number;
  __asm__ volatile("pxor %%xmm0, %%xmm0; pxor %%xmm7, %%xmm7; pxor %%xmm15, %%xmm15; fninit" : : : "xmm0", "xmm7", "xmm15");
}

#define ALL(F) F(0) F(1) F(2) F(3) F(4) F(5) F(6) F(7) F(8) F(9) F(10) F(11) F(12) F(13) F(14) F(15)
#define LOAD(N) "vmovdqu " #N "*32(%0), %%ymm" #N ";"
#define STORE(N) "vmovdqu %%ymm" #N ", " #N "*32(%1);"
#define LOAD_X(N) "movdqu " #N "*32(%0), %%xmm" #N ";"
#define STORE_X(N) "movdqu %%xmm" #N ", " #N "*32(%1);"

// Everything between load and store is done in assembly, so that no compiler uses what it is about.
#define BETWEEN \
  "movl $0, %%eax; cpuid; rdtsc; movl $110, %%eax; syscall; call *%%r12; movl $39, %%eax; syscall; movl %%eax, %%edi;" \
  "movl %%edi, %%esi; movl $10, %%edx; movl $14, %%eax; movl $1, %%edi; xorl %%esi, %%esi; xorl %%edx, %%edx; movl $8, %%r10d; syscall;" \
  "ud2;"
#define CLOBBERS "rax", "rbx", "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11", "memory", "cc"

static void skips(int number, siginfo_t* info, void* context) {
  (void)info;
  handler(number);
  ((uint64_t*)context)[21] += 2;  // rip: over ud2
}

int main(void) {
  unsigned a, b = 0, c, d;
  __get_cpuid_count(7, 0, &a, &b, &c, &d);
  static uint8_t in[512], out[512];
  sigaction(SIGILL, &(struct sigaction){.sa_sigaction = skips, .sa_flags = SA_SIGINFO}, NULL);
  int bad = 0;
  for (int round = 0; round < 50; ++round) {
    uint8_t* const code = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    memcpy(code, "\xb8\x01\0\0\0\xc3", 6);
    for (unsigned i = 0; i < sizeof in; ++i) in[i] = (uint8_t)(i * 7 + (unsigned)round);
    memset(out, 0, sizeof out);
    register uint8_t* target __asm__("r12") = code;
    register uint8_t* from __asm__("r13") = in;
    register uint8_t* to __asm__("r14") = out;
    if (b & (1 << 5)) {
      __asm__ volatile(ALL(LOAD) BETWEEN ALL(STORE) "vzeroupper" : : "r"(from), "r"(to), "r"(target) : CLOBBERS);
    } else {
      __asm__ volatile(ALL(LOAD_X) BETWEEN ALL(STORE_X) : : "r"(from), "r"(to), "r"(target) : CLOBBERS);
      for (int i = 0; i < 16; ++i) memcpy(out + i * 32 + 16, in + i * 32 + 16, 16);
    }
    bad += memcmp(in, out, sizeof in) != 0;
  }
  printf("%d\n", bad);
  return bad != 0;
}
