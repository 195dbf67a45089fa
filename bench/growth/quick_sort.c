// Growth n log n; array; 500..64000: the pivot is in the middle
#include <stdio.h>
#include <stdlib.h>

static int Number(void) {
  int c = getchar_unlocked(), out = 0;
  while (c < '0') c = getchar_unlocked();
  for (; c >= '0'; c = getchar_unlocked()) out = out * 10 + c - '0';
  return out;
}

static void Sort(int* a, int low, int high) {
  if (low >= high) return;
  int pivot = a[(low + high) / 2], i = low, j = high;
  while (i <= j) {
    while (a[i] < pivot) ++i;
    while (a[j] > pivot) --j;
    if (i > j) break;
    int t = a[i];
    a[i++] = a[j], a[j--] = t;
  }
  Sort(a, low, j), Sort(a, i, high);
}

int main(void) {
  int n = Number();
  int* a = malloc((n + 1) * sizeof *a);
  for (int i = 0; i < n; ++i) a[i] = Number();
  Sort(a, 0, n - 1);
  unsigned sum = 0;
  for (int i = 0; i < n; ++i) sum = sum * 31 + (unsigned)a[i];
  printf("%u\n", sum);
  return 0;
}
