// Growth n sqrt n; number; 1000..64000,100000: divisors of every number up to n
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  int n;
  if (scanf("%d", &n) != 1) return 1;
  unsigned count = 0;
  for (int i = 1; i <= n; ++i) for (int d = 1; d * d <= i; ++d) count += i % d == 0;
  printf("%u\n", (unsigned)(count));
  return 0;
}
