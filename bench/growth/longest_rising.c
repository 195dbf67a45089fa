// Growth n log n; permutation; 1000..128000: the longest rising part by binary search
#include <stdio.h>
#include <stdlib.h>
static int Number(void) {
  int c = getchar_unlocked(), out = 0;
  while (c < '0') c = getchar_unlocked();
  for (; c >= '0'; c = getchar_unlocked()) out = out * 10 + c - '0';
  return out;
}

int main(void) {
  int n = Number(), length = 0;
  int* last = malloc((n + 1) * sizeof *last);
  for (int i = 0; i < n; ++i) {
    int a = Number(), low = 0, high = length;
    while (low < high) {
      int middle = (low + high) / 2;
      if (last[middle] < a) low = middle + 1; else high = middle;
    }
    last[low] = a;
    if (low == length) ++length;
  }
  printf("%d\n", length);
  return 0;
}
