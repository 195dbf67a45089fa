// Growth log n; number; 1000..128000: 5,000 searches in the numbers below n
#include <stdio.h>
#include <stdlib.h>
static unsigned state = 12345;
static unsigned Random(void) { return (state = state * 1664525u + 1013904223u) >> 8; }

int main(void) {
  int n;
  if (scanf("%d", &n) != 1) return 1;
  unsigned found = 0;
  for (unsigned q = 0; q < 5000; ++q) {
    unsigned want = (unsigned)((unsigned long)Random() * n >> 24), low = 0, high = n;
    while (low < high) {
      unsigned middle = (low + high) / 2;
      if (middle < want) low = middle + 1; else high = middle;
    }
    found += low;
  }
  printf("%u\n", (unsigned)(found));
  return 0;
}
