// Growth 1.618^n < 2^n; number; 5,8,11,14,17,20,23,26: by recursion
#include <stdio.h>
#include <stdlib.h>

static unsigned Fibonacci(int n) { return n < 2 ? n : Fibonacci(n - 1) + Fibonacci(n - 2); }

int main(void) {
  int n;
  if (scanf("%d", &n) != 1) return 1;
  printf("%u\n", (unsigned)(Fibonacci(n)));
  return 0;
}
