// Growth n^3; array; 10..640,900: triples whose sum is even
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  int n;
  if (scanf("%d", &n) != 1) return 1;
  int* a = malloc((n + 1) * sizeof *a);
  for (int i = 0; i < n; ++i) if (scanf("%d", &a[i]) != 1) return 1;
  unsigned even = 0;
  for (int i = 0; i < n; ++i) for (int j = 0; j < i; ++j) for (int k = 0; k < j; ++k) even += (a[i] + a[j] + a[k]) % 2 == 0;
  printf("%u\n", (unsigned)(even));
  return 0;
}
