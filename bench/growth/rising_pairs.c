// Growth n^2; permutation; 50..6400: the longest rising part by a table
#include <stdio.h>
#include <stdlib.h>
static int Number(void) {
  int c = getchar_unlocked(), out = 0;
  while (c < '0') c = getchar_unlocked();
  for (; c >= '0'; c = getchar_unlocked()) out = out * 10 + c - '0';
  return out;
}

int main(void) {
  int n = Number(), most = 0;
  int *a = malloc((n + 1) * sizeof *a), *best = malloc((n + 1) * sizeof *best);
  for (int i = 0; i < n; ++i) {
    a[i] = Number(), best[i] = 1;
    for (int j = 0; j < i; ++j) if (a[j] < a[i] && best[j] >= best[i]) best[i] = best[j] + 1;
    if (best[i] > most) most = best[i];
  }
  printf("%d\n", most);
  return 0;
}
