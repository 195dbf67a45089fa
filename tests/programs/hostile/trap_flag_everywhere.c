// Tries: to single-step itself over what a translator cannot step: system calls, returns, instructions that are answered,
//   string instructions, its own handler's return.
// Kernel: the trap flag that popf sets is the program's own; each instruction behind it is a SIGTRAP.
// Stopped by: traps of ours have no name in the program, and its own stay its own; a run ends by its limits.
// Run: time=0.5 -- call => OK RE TLE RV
// Run: time=0.5 -- cpuid => OK RE TLE RV
// Run: time=0.5 -- string => OK RE TLE RV
// Run: time=0.5 -- for-ever => TLE RE RV
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

static volatile long steps;
static long most = 200;
static void step(int number, siginfo_t* info, void* context) {
  (void)number, (void)info;
  if (++steps >= most) ((ucontext_t*)context)->uc_mcontext.gregs[REG_EFL] &= ~0x100L;
}

int main(int argc, char** argv) {
  const char* const how = argc > 1 ? argv[1] : "call";
  struct sigaction action = {.sa_sigaction = step, .sa_flags = SA_SIGINFO};
  sigaction(SIGTRAP, &action, 0);
  if (strcmp(how, "for-ever") == 0) most = 1L << 60;
  __asm__ volatile("pushfq; orq $0x100, (%%rsp); popfq" : : : "memory", "cc");
  if (strcmp(how, "cpuid") == 0) {
    unsigned a = 0, b, c = 0, d;
    __asm__ volatile("cpuid; rdtsc" : "+a"(a), "=b"(b), "+c"(c), "=d"(d));
  } else if (strcmp(how, "string") == 0) {
    char from[64] = {1}, to[64];
    void *s = from, *t = to;
    long n = sizeof to;
    __asm__ volatile("rep movsb" : "+S"(s), "+D"(t), "+c"(n) : : "memory");
  } else {
    for (int i = 0; i < 3; ++i) syscall(SYS_getppid);
  }
  while (steps < most) {
  }
  printf("stepped\n");
  return 0;
}
