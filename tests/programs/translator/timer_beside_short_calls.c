// Signals of a timer anywhere in functions that return in a few instructions, and in recursions: what they compute is the same.
#include "program.h"

#include <signal.h>
#include <sys/time.h>

static volatile sig_atomic_t ticks;
static void OnTick(int sig) { (void)sig, ++ticks; }

__attribute__((noinline)) static unsigned long Mix(unsigned long a) { return a ^ (a >> 3); }
__attribute__((noinline)) static unsigned long Deep(unsigned n) {
  if (n < 2) return n;
  return Deep(n - 1) + Deep(n - 2);
}

static unsigned long Work(void) {
  unsigned long sum = 1;
  for (int i = 0; i < 300; ++i) sum = Mix(sum + (unsigned long)i) + 3;
  return sum + Deep(10);
}

int main(void) {
  const unsigned long expected = Work();
  signal(SIGALRM, OnTick);
  const struct itimerval timer = {{0, 1000}, {0, 1000}}, none = {{0, 0}, {0, 0}};
  setitimer(ITIMER_REAL, &timer, NULL);
  int wrong = 0;
  while (ticks < 30) wrong += Work() != expected;
  setitimer(ITIMER_REAL, &none, NULL);
  printf("wrong: %d\n", wrong);
  End();
  return 0;
}
