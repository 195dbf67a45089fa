// Growth n sqrt n; number; 1000..128000: n questions to sqrt n blocks each
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  int n;
  if (scanf("%d", &n) != 1) return 1;
  int side = 1;
  while (side * side < n) ++side;
  volatile unsigned sum = 0;
  for (int q = 0; q < n; ++q) for (int k = 0; k < side; ++k) sum += k;
  printf("%u\n", (unsigned)(sum));
  return 0;
}
