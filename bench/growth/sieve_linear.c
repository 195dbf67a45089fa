// Growth n; number; 1000..128000: every composite is struck out once
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  int n;
  if (scanf("%d", &n) != 1) return 1;
  int *least = calloc(n + 1, sizeof *least), *primes = malloc((n + 1) * sizeof *primes), count = 0;
  for (int i = 2; i <= n; ++i) {
    if (least[i] == 0) least[i] = primes[count++] = i;
    for (int j = 0; j < count && primes[j] <= least[i] && (long)primes[j] * i <= n; ++j) least[primes[j] * i] = primes[j];
  }
  printf("%u\n", (unsigned)(count));
  return 0;
}
