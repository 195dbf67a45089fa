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
static volatile int seen, right, state_right, above_zero;

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

static void Tell(const char* where) {
  const char* const sums = Sum(1) == Sum(0) ? "equal" : "different";
  printf("%s: %d handlers, %d frames and %d states where the largest frame has them, %d without rests above; sums %s\n", where, seen, right, state_right, above_zero,
         sums);
  seen = right = state_right = above_zero = 0;
}

// Each time a little further down, where the stack has not been yet.
static void __attribute__((noinline)) Deeper(int left) {
  volatile char room[1200];
  room[0] = (char)left;
  raise(SIGUSR1);
  if (left != 0) Deeper(left - 1);
  room[1] = room[0];
}

static void* Thread(void* nothing) {
  raise(SIGUSR1);
  return nothing;
}

int main(void) {
  struct sigaction action = {.sa_flags = SA_SIGINFO};
  action.sa_sigaction = Handler;
  sigaction(SIGUSR1, &action, NULL);
  raise(SIGUSR1);
  Tell("on the stack");
  Deeper(300);
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
