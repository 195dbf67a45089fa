// Growth n^2 log n; array; 50,100,150,250,400,700,1000,1600: for each pair a search for the third
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  int n;
  if (scanf("%d", &n) != 1) return 1;
  int* a = malloc((n + 1) * sizeof *a);
  for (int i = 0; i < n; ++i) if (scanf("%d", &a[i]) != 1) return 1;
  for (int i = 1; i < n; ++i) {
    int v = a[i], j = i;
    for (; j > 0 && a[j - 1] > v; --j) a[j] = a[j - 1];
    a[j] = v;
  }
  unsigned sum = 0;
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < i; ++j) {
      int want = (a[i] + a[j]) / 2, low = 0, high = n;
      while (low < high) {
        int middle = (low + high) / 2;
        if (a[middle] < want) low = middle + 1; else high = middle;
      }
      sum += low;
    }
  }
  printf("%u\n", (unsigned)(sum));
  return 0;
}
