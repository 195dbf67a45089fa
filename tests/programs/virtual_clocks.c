// Prints what every clock says, before and after some work and three seconds of sleep (argv[1]: of each of the ways to
// sleep, default 1).
// Tally: OK when counted by translator or step, with the same figures each time, and at once; natively OK too, with
// other figures, when the idle limit is above a second and the wall limit above the sum.
#include "program.h"

#include <poll.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/times.h>
#include <time.h>

static void PrintClocks(const char* when) {
  static const int kClocks[] = {CLOCK_REALTIME, CLOCK_MONOTONIC, CLOCK_PROCESS_CPUTIME_ID, CLOCK_THREAD_CPUTIME_ID,
                                CLOCK_MONOTONIC_RAW, CLOCK_REALTIME_COARSE, CLOCK_MONOTONIC_COARSE, CLOCK_BOOTTIME,
                                CLOCK_TAI, -6, 100, -5};
  printf("%s\n", when);
  for (unsigned i = 0; i < sizeof kClocks / sizeof *kClocks; ++i) {
    struct timespec t;
    if (syscall(SYS_clock_gettime, kClocks[i], &t) != 0) {
      printf("clock %d: refused (%s)\n", kClocks[i], strerrorname_np(errno));
    } else {
      printf("clock %d: %ld.%09ld\n", kClocks[i], (long)t.tv_sec, t.tv_nsec);
    }
  }
  struct timeval now;
  gettimeofday(&now, NULL);
  printf("gettimeofday: %ld.%06ld\n", (long)now.tv_sec, (long)now.tv_usec);
  printf("time: %ld\n", (long)time(NULL));
  printf("clock: %ld\n", (long)clock());
  struct tms used;
  printf("times: %ld\n", (long)times(&used));
  printf("times: user %ld, system %ld\n", (long)used.tms_utime, (long)used.tms_stime);
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  printf("getrusage: user %ld.%06ld, system %ld.%06ld\n", (long)usage.ru_utime.tv_sec, (long)usage.ru_utime.tv_usec,
         (long)usage.ru_stime.tv_sec, (long)usage.ru_stime.tv_usec);
  unsigned low, high;
  __asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
  printf("rdtsc: %llu\n", (unsigned long long)high << 32 | low);
}

int main(int argc, char** argv) {
  const long seconds = (long)Number(argc, argv, 1, 1);
  PrintClocks("before");
  for (volatile int i = 0; i < 5000; ++i) {
  }
  PrintClocks("after work");
  const struct timespec duration = {.tv_sec = seconds};
  Report("nanosleep", nanosleep(&duration, NULL));
  Report("poll", poll(NULL, 0, (int)seconds * 1000));
  struct timeval left = {.tv_sec = seconds};
  Report("select", select(0, NULL, NULL, NULL, &left));
  PrintClocks("after sleep");
  struct timespec until;
  clock_gettime(CLOCK_MONOTONIC, &until);
  until.tv_sec += seconds;
  Report("clock_nanosleep", clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL));
  PrintClocks("after sleep until");
  const struct timespec wrong = {.tv_nsec = -1};
  Report("nanosleep of less than nothing", nanosleep(&wrong, NULL));
  Report("nanosleep at 8", syscall(SYS_nanosleep, 8, NULL));
  Report("clock_gettime to 8", syscall(SYS_clock_gettime, CLOCK_REALTIME, 8));
  Report("clock_gettime to code", syscall(SYS_clock_gettime, CLOCK_REALTIME, PrintClocks));
  End();
  return 0;
}
