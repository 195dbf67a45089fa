// Growth n log n; number; 1000..128000: multiples of every number up to n
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  int n;
  if (scanf("%d", &n) != 1) return 1;
  volatile unsigned sum = 0;
  for (int i = 1; i <= n; ++i) for (int j = i; j <= n; j += i) ++sum;
  printf("%u\n", (unsigned)(sum));
  return 0;
}
