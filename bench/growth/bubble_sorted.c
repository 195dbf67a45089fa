// Growth n; sorted; 1000..128000: bubble sort that ends after a round without a swap
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  int n;
  if (scanf("%d", &n) != 1) return 1;
  int* a = malloc((n + 1) * sizeof *a);
  for (int i = 0; i < n; ++i) if (scanf("%d", &a[i]) != 1) return 1;
  for (int swapped = 1; swapped;) {
    swapped = 0;
    for (int i = 1; i < n; ++i) {
      if (a[i - 1] <= a[i]) continue;
      int t = a[i];
      a[i] = a[i - 1], a[i - 1] = t, swapped = 1;
    }
  }
  unsigned sum = 0;
  for (int i = 0; i < n; ++i) sum = sum * 31 + (unsigned)a[i];
  printf("%u\n", sum);
  return 0;
}
