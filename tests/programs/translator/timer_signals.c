// Signals that come from outside at any instruction: interval timers of real and of virtual time in loops that only
// a handler ends. How often they go round depends on time; what they print does not.
#include "program.h"

#include <signal.h>
#include <sys/time.h>

static volatile sig_atomic_t ticks;
static void OnTick(int sig) { (void)sig, ++ticks; }

static void Ticks(int which, int sig) {
  signal(sig, OnTick);
  ticks = 0;
  const struct itimerval timer = {{0, 2000}, {0, 2000}}, none = {{0, 0}, {0, 0}};
  setitimer(which, &timer, NULL);
  unsigned long a = 1, b = 2;
  while (ticks < 5) {
    for (int i = 0; i < 100; ++i) {
      a += i;
      b ^= a;
      if (b % 3 == 0) a -= i;
      else b += (unsigned long)i;
      b -= a, a += b, b += a;
    }
    if (a == 12345 && b == 54321) puts("unlikely");
  }
  setitimer(which, &none, NULL);
  printf("signal %d came\n", sig);
}

int main(void) {
  Ticks(ITIMER_REAL, SIGALRM);
  Ticks(ITIMER_VIRTUAL, SIGVTALRM);
  Ticks(ITIMER_PROF, SIGPROF);
  End();
  return 0;
}
