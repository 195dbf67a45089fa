// Timers beyond their plain use: how often one went off while its signal was blocked, a descriptor read in pieces, and more of them,
// one after the other, than there may be at one time.
// Tally: OK by turns, and as natively.
#include "program.h"

#include <signal.h>
#include <sys/timerfd.h>
#include <sys/uio.h>
#include <time.h>

static volatile int overrun_told;
static void Handle(int signal, siginfo_t* info, void* context) {
  (void)signal;
  (void)context;
  overrun_told = info->si_overrun;
}

int main(void) {
  struct sigaction action = {.sa_sigaction = Handle, .sa_flags = SA_SIGINFO};
  sigaction(SIGALRM, &action, NULL);
  sigset_t blocked;
  sigemptyset(&blocked);
  sigaddset(&blocked, SIGALRM);
  sigprocmask(SIG_BLOCK, &blocked, NULL);
  timer_t timer;
  timer_create(CLOCK_MONOTONIC, NULL, &timer);
  const struct itimerspec every = {{0, 10000000}, {0, 10000000}};
  timer_settime(timer, 0, &every, NULL);
  usleep(55000);
  const struct itimerspec never = {{0, 0}, {0, 0}};
  sigprocmask(SIG_UNBLOCK, &blocked, NULL);
  const int overrun = timer_getoverrun(timer);
  timer_settime(timer, 0, &never, NULL);
  printf("blocked for five periods: told %s, asked %s\n", overrun_told >= 3 ? "several" : "few", overrun >= 3 ? "several" : "few");

  const struct itimerspec soon = {{0, 0}, {0, 1000000}};
  int bad = 0;
  for (int i = 0; i < 600; ++i) {
    const int file = timerfd_create(CLOCK_MONOTONIC, 0);
    timerfd_settime(file, 0, &soon, NULL);
    unsigned char times[8] = {0};
    const struct iovec pieces[] = {{times, 3}, {times + 3, 5}};
    bad += readv(file, pieces, 2) != 8 || times[0] < 1 || times[7] != 0;
    close(file);
  }
  printf("one after the other: %d wrong\n", bad);
  End();
  return 0;
}
