// Tries: to find the page of its counters, and to write to it: a signal comes while our own code works out the time, in which
//   registers may hold what the program must not know. The signal is one that an instruction could lead to, and is sent.
// Kernel: delivers it at any instruction.
// Stopped by: no register holds the page's address there, and only a fault of a store is taken for one (clock_code.h).
// Run: same time=9 -- 11 => OK
// Run: same time=9 -- 7 => OK
// Run: same time=9 -- 10 => OK
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static int signal_to_send;
static volatile int handled;

static void Handle(int signal) {
  (void)signal;
  handled = handled + 1;
}

int main(int argc, char** argv) {
  signal_to_send = argc > 1 ? atoi(argv[1]) : SIGSEGV;
  signal(signal_to_send, Handle);
  timer_t timer;
  struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = signal_to_send};
  if (timer_create(CLOCK_MONOTONIC, &event, &timer) != 0) return 1;
  struct timespec now;
  int changed = 0;
  for (int i = 0; i < 40; ++i) {
    const struct itimerspec soon = {{0, 0}, {0, 20000 + 137 * i % 9973}};
    timer_settime(timer, 0, &soon, NULL);
    for (int n = 0; n < 20000; ++n) {
      unsigned long result, before, after;
      __asm__ volatile(
          "mov %%rsp, %1\n\tsyscall\n\tmov %%rsp, %2\n\tmov %1, %%rsp"
          : "=a"(result), "=&r"(before), "=&r"(after)
          : "0"((long)SYS_clock_gettime), "D"((long)CLOCK_MONOTONIC), "S"(&now)
          : "rcx", "r11", "rdx", "memory");
      changed += before != after;
    }
  }
  printf("%d times another stack, %s\n", changed, handled == 40 ? "every signal" : "signals lost");
  puts(changed == 0 ? "END" : "");
  return changed != 0;
}
