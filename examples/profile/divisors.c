// Growth sqrt n: the divisors of 1,000 numbers from n on, each looked for up to its root.
#include <stdio.h>

int main(void) {
  unsigned n, count = 0;
  if (scanf("%u", &n) != 1) return 1;
  for (unsigned i = n; i < n + 1000; ++i) {
    for (unsigned d = 1; d * d <= i; ++d) count += i % d == 0;
  }
  printf("%u\n", count);
  return 0;
}
