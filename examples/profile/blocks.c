/* Growth n sqrt n: n questions for the largest of a stretch, each answered with blocks of sqrt(n) numbers. */
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  int n;
  if (scanf("%d", &n) != 1) return 1;
  int block = 1;
  while ((block + 1) * (block + 1) <= n) ++block;
  int *values = malloc((n + 1) * sizeof *values), *largest = calloc(n / block + 2, sizeof *largest);
  unsigned random = 1;
  for (int i = 0; i < n; ++i) {
    random = random * 1664525u + 1013904223u;
    values[i] = (int)(random >> 8);
    if (values[i] > largest[i / block]) largest[i / block] = values[i];
  }
  long long sum = 0;
  for (int question = 0; question < n; ++question) {
    random = random * 1664525u + 1013904223u;
    const int from = (int)((random >> 8) % n), to = from + (n - from) / 2;
    int best = 0;
    for (int i = from; i < to;) {
      const int whole = i % block == 0 && i + block <= to;
      const int value = whole ? largest[i / block] : values[i];
      if (value > best) best = value;
      i += whole ? block : 1;
    }
    sum += best;
  }
  printf("%lld\n", sum);
  return 0;
}
