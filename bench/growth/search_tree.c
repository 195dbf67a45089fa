// Growth n log n; permutation; 500..64000: a search tree that is not balanced
#include <stdio.h>
#include <stdlib.h>

static int Number(void) {
  int c = getchar_unlocked(), out = 0;
  while (c < '0') c = getchar_unlocked();
  for (; c >= '0'; c = getchar_unlocked()) out = out * 10 + c - '0';
  return out;
}

static int left[1000000], right[1000000];

int main(void) {
  int n = Number(), root = Number();
  unsigned depth = 0;
  for (int i = 1; i < n; ++i) {
    int a = Number(), at = root;
    for (;; ++depth) {
      int* next = a < at ? &left[at] : &right[at];
      if (*next == 0) { *next = a; break; }
      at = *next;
    }
  }
  printf("%u\n", (unsigned)(depth));
  return 0;
}
