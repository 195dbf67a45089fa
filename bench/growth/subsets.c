// Growth 2^n; number; 6,8,10,12,14,16,18,20: every subset's sum
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  int n;
  if (scanf("%d", &n) != 1) return 1;
  unsigned best = 0;
  for (unsigned set = 0; set < 1u << n; ++set) {
    unsigned mix = set * 2654435761u >> 7;
    if (mix > best) best = mix;
  }
  printf("%u\n", (unsigned)(best));
  return 0;
}
