// Growth n log n; tree; 500..64000: the way from every vertex of a random tree to its root
#include <stdio.h>
#include <stdlib.h>

static int Number(void) {
  int c = getchar_unlocked(), out = 0;
  while (c < '0') c = getchar_unlocked();
  for (; c >= '0'; c = getchar_unlocked()) out = out * 10 + c - '0';
  return out;
}

static int parent[1000000];

int main(void) {
  int n = Number();
  unsigned depth = 0;
  for (int i = 1; i < n; ++i) {
    int a = Number();
    parent[Number()] = a;
  }
  for (int i = 1; i <= n; ++i) for (int at = i; at != 0; at = parent[at]) ++depth;
  printf("%u\n", (unsigned)(depth));
  return 0;
}
