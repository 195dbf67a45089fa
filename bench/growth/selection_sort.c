// Growth n^2; array; 100,200,300,500,1000,1500,2500,4000: how often the least changes depends on the input
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  int n;
  if (scanf("%d", &n) != 1) return 1;
  int* a = malloc((n + 1) * sizeof *a);
  for (int i = 0; i < n; ++i) if (scanf("%d", &a[i]) != 1) return 1;
  for (int i = 0; i < n; ++i) {
    int least = i;
    for (int j = i + 1; j < n; ++j) if (a[j] < a[least]) least = j;
    int t = a[i];
    a[i] = a[least], a[least] = t;
  }
  unsigned sum = 0;
  for (int i = 0; i < n; ++i) sum = sum * 31 + (unsigned)a[i];
  printf("%u\n", sum);
  return 0;
}
