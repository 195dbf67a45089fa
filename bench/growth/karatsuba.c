// Growth n^1.585 < n^2; number; 64..8192: a product of polynomials in three parts
#include <stdio.h>
#include <stdlib.h>
static unsigned state = 12345;
static unsigned Random(void) { return (state = state * 1664525u + 1013904223u) >> 8; }

static void Multiply(const unsigned* a, const unsigned* b, unsigned* out, int n) {
  for (int i = 0; i < 2 * n; ++i) out[i] = 0;
  if (n <= 8) {
    for (int i = 0; i < n; ++i) for (int j = 0; j < n; ++j) out[i + j] += a[i] * b[j];
    return;
  }
  int half = n / 2;
  unsigned *x = malloc(half * sizeof *x), *y = malloc(half * sizeof *y), *middle = malloc(n * sizeof *middle);
  unsigned *low = malloc(n * sizeof *low), *high = malloc(n * sizeof *high);
  for (int i = 0; i < half; ++i) x[i] = a[i] + a[half + i], y[i] = b[i] + b[half + i];
  Multiply(a, b, low, half), Multiply(a + half, b + half, high, half), Multiply(x, y, middle, half);
  for (int i = 0; i < n; ++i) out[i] += low[i], out[n + i] += high[i];
  for (int i = 0; i < n; ++i) out[half + i] += middle[i] - low[i] - high[i];
  free(x), free(y), free(middle), free(low), free(high);
}

int main(void) {
  int n;
  if (scanf("%d", &n) != 1) return 1;
  unsigned *a = malloc(n * sizeof *a), *b = malloc(n * sizeof *b), *out = malloc(2 * n * sizeof *out);
  for (int i = 0; i < n; ++i) a[i] = Random(), b[i] = Random();
  Multiply(a, b, out, n);
  printf("%u\n", (unsigned)(out[n / 2]));
  return 0;
}
