/* Growth 1: a formula, whatever n is. */
#include <stdio.h>

int main(void) {
  unsigned long long n;
  if (scanf("%llu", &n) != 1) return 1;
  printf("%llu\n", n % 2 == 0 ? n / 2 * (n + 1) : (n + 1) / 2 * n);
  return 0;
}
