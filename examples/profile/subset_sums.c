/* Growth 2^n: what each subset of n numbers adds up to, from the subset with one number less. */
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  int n;
  if (scanf("%d", &n) != 1 || n > 24) return 1;
  unsigned *best = calloc((size_t)1 << n, sizeof *best), sum = 0;
  for (unsigned set = 1; set < 1u << n; ++set) {
    const unsigned without = set & (set - 1);
    best[set] = best[without] + (set ^ without) % 1009;
    sum += best[set];
  }
  printf("%u\n", sum);
  return 0;
}
