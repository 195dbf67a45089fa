// Growth n; array; 500..64000: four passes by bytes
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
  int* a = malloc((n + 1) * sizeof *a);
  for (int i = 0; i < n; ++i) a[i] = Number();
  int* b = malloc((n + 1) * sizeof *b);
  for (int shift = 0; shift < 32; shift += 8) {
    int start[257] = {0};
    for (int i = 0; i < n; ++i) ++start[(a[i] >> shift & 255) + 1];
    for (int v = 0; v < 256; ++v) start[v + 1] += start[v];
    for (int i = 0; i < n; ++i) b[start[a[i] >> shift & 255]++] = a[i];
    int* other = a;
    a = b, b = other;
  }
  unsigned sum = 0;
  for (int i = 0; i < n; ++i) sum = sum * 31 + (unsigned)a[i];
  printf("%u\n", sum);
  return 0;
}
