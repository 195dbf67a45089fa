// Growth n log n; array; 500..64000: after a table of a fixed size was made
#include <stdio.h>
#include <stdlib.h>

static void Sort(int* a, int n, int* b) {
  if (n < 2) return;
  int half = n / 2;
  Sort(a, half, b), Sort(a + half, n - half, b);
  for (int i = 0, j = half, k = 0; k < n; ++k) b[k] = j >= n || (i < half && a[i] <= a[j]) ? a[i++] : a[j++];
  for (int k = 0; k < n; ++k) a[k] = b[k];
}

int main(void) {
  static unsigned table[1000];
  for (int round = 0; round < 3000; ++round) for (int i = 0; i < 1000; ++i) table[i] = table[i] * 31 + i + round;
  int n;
  if (scanf("%d", &n) != 1) return 1;
  int* a = malloc((n + 1) * sizeof *a);
  for (int i = 0; i < n; ++i) if (scanf("%d", &a[i]) != 1) return 1;
  Sort(a, n, malloc((n + 1) * sizeof *a));
  a[0] += table[7];
  unsigned sum = 0;
  for (int i = 0; i < n; ++i) sum = sum * 31 + (unsigned)a[i];
  printf("%u\n", sum);
  return 0;
}
