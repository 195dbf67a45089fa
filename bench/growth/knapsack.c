// Growth n^2; array; 20,50,100,200,400,800,1500,3000: a knapsack that holds n, by a table
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
  unsigned* best = calloc(n + 1, sizeof *best);
  for (int i = 0; i < n; ++i) {
    int value = Number(), weight = 1 + value % 20;
    for (int w = n; w >= weight; --w) if (best[w - weight] + value % 1000 > best[w]) best[w] = best[w - weight] + value % 1000;
  }
  printf("%u\n", best[n]);
  return 0;
}
