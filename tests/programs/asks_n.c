// Asks argv[1] argv[2] times (default 1000): "clock" (clock_gettime), "day" (gettimeofday), "time", "stamp" (rdtsc),
// "processor" (getcpu), "usage" (getrusage), "memory" (sysinfo), or sleeps a nanosecond as often ("sleep").
// With a third argument it has looked before whether alignment checks and cpuid can be switched, as OpenJDK does.
// Tally: OK; counted by translator the first six without a stop.
#include "program.h"

#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <sys/time.h>
#include <time.h>

int main(int argc, char** argv) {
  const char* const what = argc > 1 ? argv[1] : "clock";
  const long n = (long)Number(argc, argv, 2, 1000);
  struct timespec t = {.tv_nsec = 1};
  struct timeval day;
  struct rusage usage;
  struct sysinfo info;
  unsigned processor, low, high;
  if (argc > 3) {
    for (int bit = 18; bit <= 21; bit += 3) {
      __asm__ volatile("pushfq\n\tbtcl %0, (%%rsp)\n\tpopfq\n\tpushfq\n\tbtcl %0, (%%rsp)\n\tpopfq" : : "r"(bit) : "cc", "memory");
    }
  }
  for (long i = 0; i < n; ++i) {
    switch (what[0] == 's' ? what[1] : what[0]) {
      case 'c': clock_gettime(CLOCK_MONOTONIC, &t); break;
      case 'd': gettimeofday(&day, NULL); break;
      case 'p': syscall(SYS_getcpu, &processor, NULL); break;
      case 'u': getrusage(RUSAGE_SELF, &usage); break;
      case 'm': sysinfo(&info); break;
      case 'l': nanosleep(&t, NULL); break;
      case 't':
        if (what[0] == 's') {
          __asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
        } else {
          time(NULL);
        }
        break;
      default: return 1;
    }
  }
  End();
  return 0;
}
