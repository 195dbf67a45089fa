// Growth 2^n; number; 4,6,8,10,12,14,16,18: sets without neighbours, of all by bits
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  int n;
  if (scanf("%d", &n) != 1) return 1;
  unsigned good = 0;
  for (unsigned set = 0; set < 1u << n; ++set) {
    unsigned gaps = set & set << 1;
    good += gaps == 0;
  }
  printf("%u\n", good);
  return 0;
}
