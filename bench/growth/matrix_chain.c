// Growth n^3; array; 4..512: the best order of products, by a table
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  int n;
  if (scanf("%d", &n) != 1) return 1;
  int* a = malloc((n + 1) * sizeof *a);
  for (int i = 0; i < n; ++i) if (scanf("%d", &a[i]) != 1) return 1;
  long* best = calloc((long)n * n + 1, sizeof *best);
  for (int length = 2; length < n; ++length) {
    for (int i = 1; i + length - 1 < n; ++i) {
      int j = i + length - 1;
      best[i * n + j] = 1L << 60;
      for (int k = i; k < j; ++k) {
        long cost = best[i * n + k] + best[(k + 1) * n + j] + (long)(a[i - 1] % 100) * (a[k] % 100) * (a[j] % 100);
        if (cost < best[i * n + j]) best[i * n + j] = cost;
      }
    }
  }
  printf("%u\n", (unsigned)(n > 2 ? best[n + n - 1] : 0));
  return 0;
}
