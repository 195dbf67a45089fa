// Growth n^2; sorted; 50..6400: the pivot is the first of sorted numbers
#include <stdio.h>
#include <stdlib.h>

static void Sort(int* a, int low, int high) {
  while (low < high) {
    int pivot = a[low], end = low;
    for (int i = low + 1; i <= high; ++i) {
      if (a[i] >= pivot) continue;
      int t = a[++end];
      a[end] = a[i], a[i] = t;
    }
    a[low] = a[end], a[end] = pivot;
    Sort(a, low, end - 1);
    low = end + 1;
  }
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
