// Growth n log log n < n log n; number; 1000..128000: Eratosthenes
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  int n;
  if (scanf("%d", &n) != 1) return 1;
  char* composite = calloc(n + 1, 1);
  unsigned count = 0;
  for (long i = 2; i <= n; ++i) {
    if (composite[i]) continue;
    ++count;
    for (long j = i * i; j <= n; j += i) composite[j] = 1;
  }
  printf("%u\n", (unsigned)(count));
  return 0;
}
