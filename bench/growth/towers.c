// Growth 2^n; number; 5,7,9,11,13,15,17,19: the towers of Hanoi
#include <stdio.h>
#include <stdlib.h>

static unsigned moves;
static void Move(int n, int from, int to) {
  if (n == 0) return;
  Move(n - 1, from, 6 - from - to);
  moves = moves * 7 + from * 3 + to;
  Move(n - 1, 6 - from - to, to);
}

int main(void) {
  int n;
  if (scanf("%d", &n) != 1) return 1;
  Move(n, 1, 3);
  printf("%u\n", (unsigned)(moves));
  return 0;
}
