// Growth n^2; number; 100,200,300,500,1000,1500,2500,4000: Prim over all pairs
#include <stdio.h>
#include <stdlib.h>
static unsigned state = 12345;
static unsigned Random(void) { return (state = state * 1664525u + 1013904223u) >> 8; }

int main(void) {
  int n;
  if (scanf("%d", &n) != 1) return 1;
  unsigned *near = malloc((n + 1) * sizeof *near), total = 0;
  for (int i = 0; i < n; ++i) near[i] = ~0u;
  for (int round = 0, at = 0; round < n; ++round) {
    near[at] = 0;
    int next = -1;
    for (int i = 0; i < n; ++i) {
      unsigned length = Random() + 1;
      if (near[i] > length) near[i] = length;
      if (near[i] > 0 && (next < 0 || near[i] < near[next])) next = i;
    }
    if (next >= 0) total += near[at = next];
  }
  printf("%u\n", (unsigned)(total));
  return 0;
}
