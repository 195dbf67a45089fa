// Growth log n; number; 1000..128000: 4,000 ways from a leaf of a heap to its root
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  int n;
  if (scanf("%d", &n) != 1) return 1;
  unsigned steps = 0;
  for (int q = 0; q < 4000; ++q) {
    for (volatile int at = n - q % (n / 2); at > 1; at /= 2) ++steps;
  }
  printf("%u\n", (unsigned)(steps));
  return 0;
}
