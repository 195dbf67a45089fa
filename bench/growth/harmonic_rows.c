// Growth n^2 log n; number; 20..2560: multiples, n times
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  int n;
  if (scanf("%d", &n) != 1) return 1;
  volatile unsigned sum = 0;
  for (int row = 0; row < n; ++row) for (int i = 1; i <= n; ++i) for (int j = i; j <= n; j += i) ++sum;
  printf("%u\n", (unsigned)(sum));
  return 0;
}
