// Prints what differs from run to run: addresses (stack, heap, code, vDSO), getrandom, AT_RANDOM, rdrand's
// absence or presence in cpuid, pid and CPU number. ASLR and the random bytes that execve puts on the stack
// change hash tables, alignment and so the count of instructions.
// Tally: OK; in vcpu-exec two runs print the same lines.
#include "program.h"

#include <cpuid.h>
#include <sched.h>
#include <sys/auxv.h>
#include <sys/random.h>

int main(void) {
  unsigned a = 0, b = 0, c = 0, d = 0;
  unsigned long random = 0;
  int here = 0;
  const ssize_t n = getrandom(&random, sizeof random, GRND_NONBLOCK);
  printf("stack %p heap %p code %p vdso %#lx\n", (void*)&here, malloc(1), (void*)(unsigned long)&main,
         getauxval(AT_SYSINFO_EHDR));
  printf("getrandom %zd %lx\n", n, random);
  memcpy(&random, (const void*)getauxval(AT_RANDOM), sizeof random);
  __get_cpuid(1, &a, &b, &c, &d);
  printf("at_random %lx\ncpuid signature %x features %x rdrand %u\n", random, a, c, c >> 30 & 1);
  printf("pid %d cpu %d\n", (int)getpid(), sched_getcpu());
  End();
  return 0;
}
