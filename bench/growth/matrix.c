// Growth n^3; number; 4..512: a product of matrices
#include <stdio.h>
#include <stdlib.h>
static unsigned state = 12345;
static unsigned Random(void) { return (state = state * 1664525u + 1013904223u) >> 8; }

int main(void) {
  int n;
  if (scanf("%d", &n) != 1) return 1;
  unsigned *a = malloc((n * n + 1) * sizeof *a), *b = malloc((n * n + 1) * sizeof *b), sum = 0;
  for (int i = 0; i < n * n; ++i) a[i] = Random(), b[i] = Random();
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      unsigned dot = 0;
      for (int k = 0; k < n; ++k) dot += a[i * n + k] * b[k * n + j];
      sum ^= dot;
    }
  }
  printf("%u\n", (unsigned)(sum));
  return 0;
}
