// Growth log n; number; 1000,2000,3000,5000,10000,30000,50000,100000: 3,000 powers by squaring; how many multiplications depends on the bits of n
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  int n;
  if (scanf("%d", &n) != 1) return 1;
  unsigned sum = 0;
  for (unsigned base = 1; base <= 3000; ++base) {
    unsigned long power = 1, square = base;
    for (int e = n; e > 0; e /= 2) {
      if (e % 2) power = power * square % 1000003;
      square = square * square % 1000003;
    }
    sum += power;
  }
  printf("%u\n", (unsigned)(sum));
  return 0;
}
