// Uses signals as a program may: a handler that raises another signal, a handler on its own stack that jumps
// out of a fault, a blocked signal that arrives later, an interval timer.
// A tracer (seccomp stops, single steps) sees every one of these signals first and must pass it on unchanged.
// Tally: OK under any limits, with every engine.
#include "program.h"

#include <setjmp.h>
#include <signal.h>
#include <sys/time.h>

static volatile sig_atomic_t nested, pending, ticks;
static sigjmp_buf out;

static void OnUsr1(int sig) { (void)sig, raise(SIGUSR2); }
static void OnUsr2(int sig) { (void)sig, ++nested; }
static void OnTerm(int sig) { (void)sig, ++pending; }
static void OnTick(int sig) { (void)sig, ++ticks; }
static void OnFault(int sig) { siglongjmp(out, sig); }

int main(void) {
  static char stack[65536];
  const stack_t alternative = {.ss_sp = stack, .ss_size = sizeof stack};
  sigaltstack(&alternative, NULL);
  const struct sigaction fault = {.sa_handler = OnFault, .sa_flags = SA_ONSTACK};
  sigaction(SIGSEGV, &fault, NULL);
  signal(SIGUSR1, OnUsr1);
  signal(SIGUSR2, OnUsr2);
  signal(SIGTERM, OnTerm);
  signal(SIGALRM, OnTick);

  raise(SIGUSR1);
  if (sigsetjmp(out, 1) == 0) *(volatile int*)8 = 1;
  sigset_t term;
  sigemptyset(&term);
  sigaddset(&term, SIGTERM);
  sigprocmask(SIG_BLOCK, &term, NULL);
  raise(SIGTERM);
  if (pending != 0) return 2;
  sigprocmask(SIG_UNBLOCK, &term, NULL);
  const struct itimerval tick = {{0, 1000}, {0, 1000}}, none = {{0, 0}, {0, 0}};
  setitimer(ITIMER_REAL, &tick, NULL);
  while (ticks < 3) pause();
  setitimer(ITIMER_REAL, &none, NULL);
  printf("nested %d pending %d\n", (int)nested, (int)pending);
  End();
  return nested == 1 && pending == 1 ? 0 : 3;
}
