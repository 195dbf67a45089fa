// Tries: to keep the supervisor busy for ever by timers that go off every microsecond while every task waits for what never comes.
// Kernel: timers cost the kernel an interrupt each; where the clock is virtual, each costs the supervisor a look at all that wait.
// Stopped by: the choice of the next turn returns when it is time to look at the limits, which hold as ever.
// Run: time=1 -- signals => TLE RV
// Run: time=1 -- files => TLE RV
// Run: time=1 processes=4 -- threads => TLE RV
// Build: threads
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <unistd.h>

static sem_t never;

static void* Waits(void* nothing) {
  while (sem_wait(&never) != 0) {
  }
  return nothing;
}

int main(int argc, char** argv) {
  const char* how = argc > 1 ? argv[1] : "signals";
  sem_init(&never, 0, 0);
  if (strcmp(how, "files") == 0) {
    const struct itimerspec every = {{0, 1}, {0, 1}};
    for (int i = 0; i < 50; ++i) timerfd_settime(timerfd_create(CLOCK_MONOTONIC, 0), 0, &every, NULL);
    Waits(NULL);
  }
  sigset_t alarms;
  sigemptyset(&alarms);
  sigaddset(&alarms, SIGALRM);
  sigprocmask(SIG_BLOCK, &alarms, NULL);
  pthread_t thread;
  if (strcmp(how, "threads") == 0) pthread_create(&thread, NULL, Waits, NULL);
  const struct itimerval every = {{0, 1}, {0, 1}};
  setitimer(ITIMER_REAL, &every, NULL);
  Waits(NULL);
  return 0;
}
