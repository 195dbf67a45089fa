// Growth n; graph; 1000,2000,3000,5000,10000,30000,50000,100000: sets joined by size, with paths made shorter
#include <stdio.h>
#include <stdlib.h>
static int Number(void) {
  int c = getchar_unlocked(), out = 0;
  while (c < '0') c = getchar_unlocked();
  for (; c >= '0'; c = getchar_unlocked()) out = out * 10 + c - '0';
  return out;
}

static int parent[1000000], size[1000000];
static int Find(int a) {
  while (parent[a] != a) a = parent[a] = parent[parent[a]];
  return a;
}

int main(void) {
  int n = Number(), m = Number(), joined = 0;
  for (int i = 1; i <= n; ++i) parent[i] = i, size[i] = 1;
  for (int i = 0; i < m; ++i) {
    int a = Find(Number()), b = Find(Number());
    if (a == b) continue;
    if (size[a] > size[b]) { int t = a; a = b, b = t; }
    parent[a] = b, size[b] += size[a], ++joined;
  }
  printf("%u\n", (unsigned)(joined));
  return 0;
}
