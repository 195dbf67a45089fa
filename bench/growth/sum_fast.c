// Growth n; array; 1000,2000,3000,5000,10000,30000,50000,100000: numbers by getchar
#include <stdio.h>
#include <stdlib.h>

static int Number(void) {
  int c = getchar_unlocked(), out = 0;
  while (c < '0') c = getchar_unlocked();
  for (; c >= '0'; c = getchar_unlocked()) out = out * 10 + c - '0';
  return out;
}
int main(void) {
  int n = Number();
  int* a = malloc((n + 1) * sizeof *a);
  for (int i = 0; i < n; ++i) a[i] = Number();
  unsigned sum = 0;
  for (int i = 0; i < n; ++i) sum = sum * 31 + (unsigned)a[i];
  printf("%u\n", sum);
  return 0;
}
