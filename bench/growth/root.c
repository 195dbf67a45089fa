// Growth sqrt n; number; 1000..128000: 2,000 sqrt n
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  int n;
  if (scanf("%d", &n) != 1) return 1;
  volatile unsigned sum = 0;
  for (long i = 0; i * i < n; ++i) for (int k = 0; k < 2000; ++k) sum += k;
  printf("%u\n", (unsigned)(sum));
  return 0;
}
