/* Fails from the fifth test on: its table is too small, and the system ends it. */
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  int n, i;
  long long sum = 0;
  if (scanf("%d", &n) != 1) return 1;
  long long *table = malloc(100 * sizeof *table);
  for (i = 0; i < n; ++i) {
    if (i >= 100) abort();
    if (scanf("%lld", &table[i]) != 1) return 1;
    sum += table[i];
  }
  printf("%lld\n", sum);
  return 0;
}
