// Code on the stack: nested functions whose address is taken, for which the compiler writes trampolines there.
#include "program.h"

static __attribute__((noinline)) int Apply(int (*function)(int), int x) { return function(x) + function(x + 1); }

static __attribute__((noinline)) int Sum(int n) {
  int calls = 0;
  int Add(int x) {
    ++calls;
    return x + n;
  }
  const int sum = Apply(Add, n * 2);
  return n == 0 ? calls : sum + calls + Sum(n - 1);
}

int main(void) {
  printf("%d %d\n", Sum(3), Sum(12));
  End();
  return 0;
}
