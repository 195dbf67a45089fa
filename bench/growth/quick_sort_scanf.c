// Growth n log n; permutation; 1000,2000,3000,5000,10000,30000,50000,100000: the pivot is the first; numbers by scanf
#include <stdio.h>
#include <stdlib.h>

static void Sort(int* a, int low, int high) {
  if (low >= high) return;
  int pivot = a[low], i = low, j = high;
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
  int n;
  if (scanf("%d", &n) != 1) return 1;
  int* a = malloc((n + 1) * sizeof *a);
  for (int i = 0; i < n; ++i) if (scanf("%d", &a[i]) != 1) return 1;
  Sort(a, 0, n - 1);
  unsigned sum = 0;
  for (int i = 0; i < n; ++i) sum = sum * 31 + (unsigned)a[i];
  printf("%u\n", sum);
  return 0;
}
