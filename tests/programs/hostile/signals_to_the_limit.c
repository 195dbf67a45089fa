// Tries: to leave the judge no room for a signal or a timer of its own: real-time signals queued up to RLIMIT_SIGPENDING, all
//   timers that a process may have, every signal blocked.
// Kernel: both are counted for the user, and at the limit timer_create(2) and sigqueue(3) fail with EAGAIN.
// Stopped by: rt_sigqueueinfo(2) is a rule violation; no wait of the supervisor's needs one of the program's timers or signals.
// Run: time=0.5 -- queue => RV
// Run: time=0.5 -- timers => OK TLE
// Run: time=0.5 -- both => RV TLE
// Run: time=0.5 processes=2 -- queue => RV
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

int main(int argc, char** argv) {
  const char* const how = argc > 1 ? argv[1] : "queue";
  sigset_t all;
  sigfillset(&all);
  sigprocmask(SIG_BLOCK, &all, 0);
  long queued = 0, timers = 0;
  if (strcmp(how, "queue") != 0) {
    for (timer_t timer; timers < 200000; ++timers) {
      struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGRTMIN + 1};
      if (timer_create(CLOCK_MONOTONIC, &event, &timer) != 0) break;
    }
  }
  if (strcmp(how, "timers") != 0) {
    while (queued < 200000 && sigqueue(getpid(), SIGRTMIN, (union sigval){.sival_int = 1}) == 0) ++queued;
  }
  printf("%s %s\n", queued > 0 ? "queued" : "none", timers > 0 ? "timers" : "none");
  fflush(stdout);
  if (strcmp(how, "queue") == 0) {
    for (volatile long i = 0;; ++i) {
    }
  }
  return 0;
}
