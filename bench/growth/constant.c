// Growth 1; number; 1000..128000: a fixed loop
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  int n;
  if (scanf("%d", &n) != 1) return 1;
  unsigned sum = n;
  for (volatile int i = 0; i < 20000; ++i) sum = sum * 31 + 7;
  printf("%u\n", (unsigned)(sum));
  return 0;
}
