// Handlers on the program's stack, at its end, on an alternate stack and in a thread say where their frame lies, and whether registers and
// vectors are behind them what they were.
// Kernel: as far below the stack pointer as the processor has state. 2696 bytes of it are the most that are known so far.
// Tally: OK; counted by translator or step each frame has room for so much, whatever the processor has.
#include "program.h"

#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <ucontext.h>

static char alternate[16384] __attribute__((aligned(4096)));
static volatile int seen, right, state_right, above_zero, sizes, rests;
static int vectors;  // of 256 bits

static uintptr_t Down(uintptr_t value, uintptr_t alignment) { return value / alignment * alignment; }

static void Handler(int number, siginfo_t* info, void* context) {
  const ucontext_t* c = context;
  (void)number;
  const uintptr_t before = (uintptr_t)c->uc_mcontext.gregs[REG_RSP];
  const uintptr_t at = (uintptr_t)context;
  const int on_alternate = at >= (uintptr_t)alternate && at < (uintptr_t)(alternate + sizeof alternate);
  const uintptr_t top = on_alternate ? (uintptr_t)(alternate + sizeof alternate) : before - 128;
  const uintptr_t state = Down(top - 2700, 64);
  right += at == Down(state - 440, 16) && (uintptr_t)info == at + 304;
  state_right += (uintptr_t)c->uc_mcontext.fpregs == state;
  above_zero += *(const uint64_t*)(top - 8) == 0;
  const unsigned char* const bytes = (const unsigned char*)c->uc_mcontext.fpregs;
  uint32_t size;
  memcpy(&size, bytes + 464 + 16, sizeof size);
  sizes += size == 832;
  const uint64_t* const words = (const uint64_t*)bytes;
  for (unsigned i = 416 / 8; i < 464 / 8; ++i) rests += words[i] != 0;
  for (unsigned i = 840 / 8; i < 2696 / 8; ++i) rests += words[i] != 0;
  if (vectors) __asm__ volatile("vpcmpeqd %%ymm5, %%ymm5, %%ymm5\n fninit" ::: "xmm5");
  ++seen;
}

static double Sum(int signal_in_between) {
  volatile double values[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  double sum = 0;
  for (int i = 0; i < 8; ++i) {
    sum += values[i] / 3;
    if (signal_in_between && i == 4) raise(SIGUSR1);
  }
  return sum;
}

// In the upper half of a vector, on x87's stack, and how numbers are rounded.
static int KeepsState(void) {
  if (!vectors) return 1;
  const double wanted[4] = {1.5, 2.5, 3.5, 4.5}, three = 3;
  double found[4], on_x87;
  unsigned rounding = 0x5f80, behind;
  __asm__ volatile(
      "ldmxcsr %[rounding]; vmovupd %[wanted], %%ymm5; fldl %[three]\n"
      "mov $62, %%eax; syscall\n"  // kill(2)
      "vmovupd %%ymm5, %[found]; fstpl %[x87]; stmxcsr %[behind]; vzeroupper\n"
      : [found] "=m"(found), [x87] "=m"(on_x87), [behind] "=m"(behind)
      : [wanted] "m"(wanted), [three] "m"(three), [rounding] "m"(rounding), "D"(getpid()), "S"(SIGUSR1)
      : "rax", "rcx", "r11", "xmm5", "memory");
  __asm__ volatile("ldmxcsr %0" ::"m"((const unsigned){0x1f80}));
  return memcmp(wanted, found, sizeof wanted) == 0 && on_x87 == 3 && (behind & 0x6000) == 0x4000;
}

static void Tell(const char* where) {
  const char* const sums = Sum(1) == Sum(0) && KeepsState() ? "equal" : "different";
  printf("%s: %d handlers, %d frames and %d states where the largest frame has them, %d of AVX alone, %d without rests above, %d words of rests in them; sums %s\n", where,
         seen, right, state_right, sizes, above_zero, rests, sums);
  seen = right = state_right = above_zero = sizes = rests = 0;
}

// Each time a little further down, where the stack has not been yet.
static void __attribute__((noinline)) Deeper(int left) {
  volatile char room[1200];
  room[0] = (char)left;
  raise(SIGUSR1);
  if (left != 0) Deeper(left - 1);
  room[1] = room[0];
}

// Old words, below the stack pointer.
static void __attribute__((noinline)) Litter(void) {
  volatile uint64_t old[1000];
  for (unsigned i = 0; i < 1000; ++i) old[i] = 0x5a5a5a5a5a5a5a5a;
}

static void* Thread(void* nothing) {
  raise(SIGUSR1);
  return nothing;
}

int main(void) {
  struct sigaction action = {.sa_flags = SA_SIGINFO};
  action.sa_sigaction = Handler;
  vectors = __builtin_cpu_supports("avx");
  sigaction(SIGUSR1, &action, NULL);
  Litter();
  raise(SIGUSR1);
  Tell("on the stack");
  Deeper(40);
  Tell("deeper");
  stack_t stack = {.ss_sp = alternate, .ss_size = sizeof alternate};
  sigaltstack(&stack, NULL);
  action.sa_flags |= SA_ONSTACK;
  sigaction(SIGUSR1, &action, NULL);
  raise(SIGUSR1);
  Tell("on an alternate stack");
  action.sa_flags &= ~SA_ONSTACK;
  sigaction(SIGUSR1, &action, NULL);
  pthread_t thread;
  pthread_create(&thread, NULL, Thread, NULL);
  pthread_join(thread, NULL);
  Tell("in a thread");
  End();
  return 0;
}
