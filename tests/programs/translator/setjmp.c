// setjmp and longjmp: returns that return twice, out of deep calls and out of a loop.
#include "program.h"

#include <setjmp.h>

static jmp_buf out;

static __attribute__((noinline)) int Deep(int depth) {
  if (depth == 0) longjmp(out, 7);
  return depth > 100 ? 0 : Deep(depth - 1) + 1;
}

int main(void) {
  volatile int total = 0;
  for (volatile int i = 1; i < 12; ++i) {
    const int got = setjmp(out);
    if (got == 0) printf("%d\n", Deep(i * 3));
    total += got;
  }
  volatile int tries = 0;
  const int again = setjmp(out);
  if (++tries < 5) longjmp(out, tries);
  printf("%d %d %d\n", total, tries, again);
  End();
  return 0;
}
