// Growth n^2; array; 100,200,300,500,1000,1500,2500,4000: pairs whose sum is even
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  int n;
  if (scanf("%d", &n) != 1) return 1;
  int* a = malloc((n + 1) * sizeof *a);
  for (int i = 0; i < n; ++i) if (scanf("%d", &a[i]) != 1) return 1;
  unsigned even = 0;
  for (int i = 0; i < n; ++i) for (int j = 0; j < i; ++j) if ((a[i] + a[j]) % 2 == 0) ++even;
  printf("%u\n", (unsigned)(even));
  return 0;
}
