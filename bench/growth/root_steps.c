// Growth sqrt n; number; 1000..128000: 500 walks in steps of the root
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  int n, side = 1;
  if (scanf("%d", &n) != 1) return 1;
  while ((side + 1) * (side + 1) <= n) ++side;
  volatile unsigned sum = 0;
  for (int walk = 0; walk < 500; ++walk) for (int at = walk % side; at < n; at += side) sum += at;
  printf("%u\n", sum);
  return 0;
}
