// Growth n^3; number; 10,20,30,50,80,120,200,300: shortest ways between all pairs
#include <stdio.h>
#include <stdlib.h>
static unsigned state = 12345;
static unsigned Random(void) { return (state = state * 1664525u + 1013904223u) >> 8; }

int main(void) {
  int n;
  if (scanf("%d", &n) != 1) return 1;
  int *d = malloc((n * n + 1) * sizeof *d), sum = 0;
  for (int i = 0; i < n * n; ++i) d[i] = 1 + Random() % 1000;
  for (int k = 0; k < n; ++k) {
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) {
        if (d[i * n + k] + d[k * n + j] < d[i * n + j]) d[i * n + j] = d[i * n + k] + d[k * n + j];
      }
    }
  }
  for (int i = 0; i < n * n; ++i) sum += d[i];
  printf("%u\n", (unsigned)(sum));
  return 0;
}
