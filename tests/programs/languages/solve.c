#include <stdio.h>
#include <stdlib.h>

static int compare(const void* a, const void* b) { return *(const int*)a - *(const int*)b; }

int main(void) {
  int n = 0;
  if (scanf("%d", &n) != 1) return 1;
  int* a = malloc((size_t)n * sizeof *a);
  for (int i = 0; i < n; ++i) {
    if (scanf("%d", &a[i]) != 1) return 1;
  }
  qsort(a, (size_t)n, sizeof *a, compare);
  long long sum = 0;
  int different = 0;
  for (int i = 0; i < n; ++i) {
    sum += (long long)a[i] * (i % 7);
    if (i == 0 || a[i] != a[i - 1]) ++different;
  }
  printf("%lld %d %d\n", sum, different, a[n / 2]);
  return 0;
}
