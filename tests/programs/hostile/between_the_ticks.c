// Tries: to use CPU time without being seen: it sits in a long system call at each tick of the kernel's clock and computes in
//   between, so that all its time is said to be system time.
// Kernel: user and system time are divided by what the ticks fall into (kernel/sched/cputime.c, account_process_tick); only
//   their sum is exact.
// Stopped by: the limit on all CPU time stands close behind that on user time (jobs/exec_options.cc).
// Run: only=native time=0.3 -- 1.2 => TLE
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static int64_t now(clockid_t clock) {
  struct timespec t;
  clock_gettime(clock, &t);
  return t.tv_sec * 1000000000LL + t.tv_nsec;
}

int main(int argc, char** argv) {
  static char buffer[1 << 18];
  const int zeros = open("/dev/zero", O_RDONLY);
  const int64_t end = now(CLOCK_MONOTONIC) + (int64_t)(1e9 * (argc > 1 ? atof(argv[1]) : 0.1));
  volatile uint64_t x = 1;
  while (now(CLOCK_MONOTONIC) < end) {
    const int64_t tick = now(CLOCK_MONOTONIC_COARSE);
    while (now(CLOCK_MONOTONIC_COARSE) == tick) {
      if (read(zeros, buffer, sizeof buffer) < 0) return 1;
    }
    const int64_t until = now(CLOCK_MONOTONIC) + 3300000;
    while (now(CLOCK_MONOTONIC) < until) {
      for (int i = 0; i < 2000; ++i) x = x * 6364136223846793005u + 1;
    }
  }
  return 0;
}
