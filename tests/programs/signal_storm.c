// Two timers, one of SIGALRM and one of a real-time signal with a value, set anew all the time in a program that calls,
// returns and jumps: signals come at every instruction, and while another is being delivered. In between it blocks a
// real-time signal, sends it to itself five times and lets it in: five come. Signals must not be lost, merged or robbed of
// what came with them.
// Tally: OK, with every engine.
#include "program.h"

#include <signal.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>

static volatile sig_atomic_t alarms, timers, queued, wrong;

static void OnAlarm(int sig, siginfo_t* info, void* context) {
  (void)sig, (void)context;
  if (info->si_code != SI_KERNEL) wrong |= 1;
  ++alarms;
}
static void OnTimer(int sig, siginfo_t* info, void* context) {
  (void)sig, (void)context;
  if (info->si_code != SI_TIMER || info->si_value.sival_int != 12345) wrong |= 2;
  ++timers;
}
static void OnQueued(int sig, siginfo_t* info, void* context) {
  (void)sig, (void)context;
  if (info->si_code != SI_TKILL || info->si_pid != getpid()) wrong |= 4;
  ++queued;
}

static unsigned Even(unsigned n);
static unsigned Odd(unsigned n) { return n == 0 ? 0 : Even(n - 1); }
static unsigned (*volatile odd)(unsigned) = Odd;
__attribute__((noinline)) static unsigned Even(unsigned n) { return n == 0 ? 1 : odd(n - 1) + 0; }
__attribute__((noinline)) static unsigned Tree(unsigned n) { return n < 2 ? n : Tree(n - 1) + Tree(n - 2) + Even(3); }

static void Handle(int sig, void (*handler)(int, siginfo_t*, void*)) {
  struct sigaction action = {.sa_sigaction = handler, .sa_flags = SA_SIGINFO | SA_RESTART};
  sigaction(sig, &action, NULL);
}

int main(void) {
  Handle(SIGRTMIN + 1, OnTimer);
  Handle(SIGRTMIN + 2, OnQueued);
  struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGRTMIN + 1, .sigev_value.sival_int = 12345};
  timer_t timer;
  if (timer_create(CLOCK_MONOTONIC, &event, &timer) != 0) return 3;
  Handle(SIGALRM, OnAlarm);
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGRTMIN + 2);
  int rounds = 0;
  unsigned sum = 0;
  // Each round sets both timers anew, so that a slow machine is not busy with signals alone.
  for (; rounds < 1000; ++rounds) {
    const struct itimerval alarm = {{0, 0}, {0, 20 + rounds % 40}};
    const struct itimerspec other = {{0, 0}, {0, 1000 * (20 + rounds % 60)}};
    setitimer(ITIMER_REAL, &alarm, NULL);
    timer_settime(timer, 0, &other, NULL);
    sum += Tree(18);
    if (rounds % 10 != 0) continue;
    sigprocmask(SIG_BLOCK, &set, NULL);
    for (int i = 0; i < 5; ++i) syscall(SYS_tgkill, getpid(), getpid(), SIGRTMIN + 2);
    Tree(8);
    sigprocmask(SIG_UNBLOCK, &set, NULL);
    if (queued != rounds / 2 + 5) wrong |= 8;
  }
  if (alarms == 0 || timers == 0) wrong |= 32;
  if (sum != (unsigned)rounds * Tree(18)) wrong |= 16;
  printf("wrong %d\n", wrong);
  End();
  return 0;
}
