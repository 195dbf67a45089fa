// Growth n; permutation; 1000..128000: numbers of 1 to n
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  int n;
  if (scanf("%d", &n) != 1) return 1;
  int* a = malloc((n + 1) * sizeof *a);
  for (int i = 0; i < n; ++i) if (scanf("%d", &a[i]) != 1) return 1;
  int* count = calloc(n + 2, sizeof *count);
  for (int i = 0; i < n; ++i) ++count[a[i]];
  for (int v = 0, i = 0; v <= n; ++v) while (count[v]-- > 0) a[i++] = v;
  unsigned sum = 0;
  for (int i = 0; i < n; ++i) sum = sum * 31 + (unsigned)a[i];
  printf("%u\n", sum);
  return 0;
}
