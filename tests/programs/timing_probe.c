// Reads every clock there is, twice, around a short piece of work: rdtsc, rdtscp, the vDSO, the system call.
// The vDSO answers clock_gettime without entering the kernel, so no filter and no count sees it; rdtsc is an
// instruction (PR_SET_TSC can forbid it).
// Tally: OK; in vcpu-exec two runs print the same figures, and time advances with the instructions only.
#include "program.h"

#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <x86intrin.h>

static void Read(const char* when) {
  unsigned processor;
  struct timespec real, monotonic, cpu, direct;
  struct timeval day;
  clock_gettime(CLOCK_REALTIME, &real);
  clock_gettime(CLOCK_MONOTONIC, &monotonic);
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &cpu);
  gettimeofday(&day, NULL);
  syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &direct);
  printf(
      "%s tsc %llu tscp %llu real %lld.%09ld monotonic %lld.%09ld syscall %lld.%09ld cpu %lld.%09ld day "
      "%ld\n",
      when, (unsigned long long)__rdtsc(), (unsigned long long)__rdtscp(&processor), (long long)real.tv_sec,
      real.tv_nsec, (long long)monotonic.tv_sec, monotonic.tv_nsec, (long long)direct.tv_sec, direct.tv_nsec,
      (long long)cpu.tv_sec, cpu.tv_nsec, (long)day.tv_sec);
}

int main(void) {
  Read("before");
  for (volatile int i = 0; i < 1000000; ++i) {
  }
  Read("after");
  End();
  return 0;
}
