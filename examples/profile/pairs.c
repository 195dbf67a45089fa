/* Growth n^2: how many pairs of the n numbers are in the wrong order, by looking at each. */
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  int n;
  if (scanf("%d", &n) != 1) return 1;
  int *values = malloc((n + 1) * sizeof *values);
  for (int i = 0; i < n; ++i) {
    if (scanf("%d", &values[i]) != 1) return 1;
  }
  long long pairs = 0;
  for (int i = 0; i < n; ++i) {
    for (int j = i + 1; j < n; ++j) pairs += values[i] > values[j];
  }
  printf("%lld\n", pairs);
  return 0;
}
