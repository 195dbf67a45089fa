// Growth n log n; array; 1000,2000,3000,5000,10000,30000,50000,100000: by recursion
#include <stdio.h>
#include <stdlib.h>

static int Number(void) {
  int c = getchar_unlocked(), out = 0;
  while (c < '0') c = getchar_unlocked();
  for (; c >= '0'; c = getchar_unlocked()) out = out * 10 + c - '0';
  return out;
}
static void Sort(int* a, int n, int* b) {
  if (n < 2) return;
  int half = n / 2;
  Sort(a, half, b), Sort(a + half, n - half, b);
  for (int i = 0, j = half, k = 0; k < n; ++k) b[k] = j >= n || (i < half && a[i] <= a[j]) ? a[i++] : a[j++];
  for (int k = 0; k < n; ++k) a[k] = b[k];
}

int main(void) {
  int n = Number();
  int* a = malloc((n + 1) * sizeof *a);
  for (int i = 0; i < n; ++i) a[i] = Number();
  Sort(a, n, malloc((n + 1) * sizeof *a));
  unsigned sum = 0;
  for (int i = 0; i < n; ++i) sum = sum * 31 + (unsigned)a[i];
  printf("%u\n", sum);
  return 0;
}
