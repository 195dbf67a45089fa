// Growth n log n; array; 1000..128000: sifting down
#include <stdio.h>
#include <stdlib.h>

static int Number(void) {
  int c = getchar_unlocked(), out = 0;
  while (c < '0') c = getchar_unlocked();
  for (; c >= '0'; c = getchar_unlocked()) out = out * 10 + c - '0';
  return out;
}

static void Sift(int* a, int at, int n) {
  for (int child; (child = 2 * at + 1) < n; at = child) {
    if (child + 1 < n && a[child + 1] > a[child]) ++child;
    if (a[at] >= a[child]) return;
    int t = a[at];
    a[at] = a[child], a[child] = t;
  }
}

int main(void) {
  int n = Number();
  int* a = malloc((n + 1) * sizeof *a);
  for (int i = 0; i < n; ++i) a[i] = Number();
  for (int i = n / 2; i-- > 0;) Sift(a, i, n);
  for (int end = n; end-- > 1;) {
    int t = a[0];
    a[0] = a[end], a[end] = t;
    Sift(a, 0, end);
  }
  unsigned sum = 0;
  for (int i = 0; i < n; ++i) sum = sum * 31 + (unsigned)a[i];
  printf("%u\n", sum);
  return 0;
}
