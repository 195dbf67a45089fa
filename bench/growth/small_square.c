// Growth n^2; number; 100..12800: n^2 beside 500 n
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  int n;
  if (scanf("%d", &n) != 1) return 1;
  volatile unsigned sum = 0;
  for (int i = 0; i < n; ++i) {
    for (int k = 0; k < 500; ++k) sum += k;
    for (int j = 0; j < n; ++j) sum += j;
  }
  printf("%u\n", (unsigned)(sum));
  return 0;
}
