// Growth n; string; 1000,2000,3000,5000,10000,30000,50000,100000: a pattern of 8 letters tried at every place
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  int n;
  if (scanf("%d", &n) != 1) return 1;
  char* text = malloc(n + 2);
  if (scanf("%s", text) != 1) return 1;
  unsigned found = 0;
  for (int i = 0; i + 8 <= n; ++i) {
    int k = 0;
    while (k < 8 && text[i + k] == "abababab"[k]) ++k;
    found += k;
  }
  printf("%u\n", (unsigned)(found));
  return 0;
}
