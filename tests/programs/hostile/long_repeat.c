// Tries: to run without a limit in a loop of the judge's own: a repeated string instruction through gs, which a translator
//   steps over element by element.
// Kernel: one instruction may take any number of iterations.
// Stopped by: every loop of the supervisor returns when the limits are to be looked at (TranslatedRun::return_by).
// Run: only=native time=1 memory=256M -- 30000000 => OK TLE
// Run: only=translated time=0.2 memory=256M -- 30000000 => TLE
#include <stdlib.h>
#include <sys/mman.h>

int main(int argc, char** argv) {
  const unsigned long n = argc > 1 ? strtoul(argv[1], NULL, 10) : 1000;
  const char* source = mmap(NULL, n, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (source == MAP_FAILED) return 2;
  unsigned long count = n;
  __asm__ volatile("rep lodsb %%gs:(%%rsi), %%al" : "+c"(count), "+S"(source) : : "rax", "memory");
  return count != 0;
}
