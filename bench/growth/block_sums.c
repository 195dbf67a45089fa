// Growth n sqrt n; array; 1000,2000,4000,8000,15000,30000,50000,100000: n sums of stretches by blocks
#include <stdio.h>
#include <stdlib.h>

static int Number(void) {
  int c = getchar_unlocked(), out = 0;
  while (c < '0') c = getchar_unlocked();
  for (; c >= '0'; c = getchar_unlocked()) out = out * 10 + c - '0';
  return out;
}
int main(void) {
  int n = Number();
  int* a = malloc((n + 1) * sizeof *a);
  for (int i = 0; i < n; ++i) a[i] = Number();
  int side = 1;
  while (side * side < n) ++side;
  unsigned *block = calloc(side + 1, sizeof *block), sum = 0;
  for (int i = 0; i < n; ++i) block[i / side] += a[i];
  for (int q = 0; q < n; ++q) {
    int low = (unsigned)a[q] % n, high = (unsigned)a[n - 1 - q] % n;
    if (low > high) { int t = low; low = high, high = t; }
    while (low < high && low % side) sum += a[low++];
    while (high > low && high % side) sum += a[--high];
    for (; low < high; low += side) sum += block[low / side];
  }
  printf("%u\n", (unsigned)(sum));
  return 0;
}
