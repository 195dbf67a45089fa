// Growth n^2 log n; number; 20..2560: heap sort of n rows
#include <stdio.h>
#include <stdlib.h>
static unsigned state = 12345;
static unsigned Random(void) { return (state = state * 1664525u + 1013904223u) >> 8; }

static void Sift(unsigned* a, int at, int n) {
  for (int child; (child = 2 * at + 1) < n; at = child) {
    if (child + 1 < n && a[child + 1] > a[child]) ++child;
    if (a[at] >= a[child]) return;
    unsigned t = a[at];
    a[at] = a[child], a[child] = t;
  }
}

int main(void) {
  int n;
  if (scanf("%d", &n) != 1) return 1;
  unsigned *a = malloc((n + 1) * sizeof *a), sum = 0;
  for (int row = 0; row < n; ++row) {
    for (int i = 0; i < n; ++i) a[i] = Random();
    for (int i = n / 2; i-- > 0;) Sift(a, i, n);
    for (int end = n; end-- > 1;) {
      unsigned t = a[0];
      a[0] = a[end], a[end] = t;
      Sift(a, 0, end);
    }
    sum += a[n / 2];
  }
  printf("%u\n", (unsigned)(sum));
  return 0;
}
