// Growth n log n; permutation; 1000..128000: a Fenwick tree
#include <stdio.h>
#include <stdlib.h>

static int Number(void) {
  int c = getchar_unlocked(), out = 0;
  while (c < '0') c = getchar_unlocked();
  for (; c >= '0'; c = getchar_unlocked()) out = out * 10 + c - '0';
  return out;
}

static int tree[1000000];

int main(void) {
  int n = Number();
  unsigned inversions = 0;
  for (int i = 0; i < n; ++i) {
    int a = Number(), before = 0;
    for (int at = a; at > 0; at -= at & -at) before += tree[at];
    for (int at = a; at <= n; at += at & -at) ++tree[at];
    inversions += i - before;
  }
  printf("%u\n", (unsigned)(inversions));
  return 0;
}
