// Ignores every signal it may, blocks the rest and loops: SIGXCPU, SIGTERM and SIGALRM do nothing to it.
// SIGKILL and SIGSTOP can be neither ignored nor blocked (sigaction says EINVAL), and a soft RLIMIT_CPU sends
// only SIGXCPU. Its own safety net is therefore the clock: bare, it ends with END after 60 s.
// Tally: TLE under any time limit: the end is SIGKILL.
#include "program.h"

#include <signal.h>
#include <time.h>

int main(void) {
  sigset_t all;
  for (int sig = 1; sig <= 64; ++sig) signal(sig, SIG_IGN);
  sigfillset(&all);
  sigprocmask(SIG_BLOCK, &all, NULL);
  const time_t end = time(NULL) + 60;
  while (time(NULL) < end) {
    for (volatile long i = 0; i < 10000000; ++i) {
    }
  }
  End();
  return 0;
}
