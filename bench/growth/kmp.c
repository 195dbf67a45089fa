// Growth n; string; 1000..128000: a pattern in a text by its borders
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  int n;
  if (scanf("%d", &n) != 1) return 1;
  char* text = malloc(n + 2);
  if (scanf("%s", text) != 1) return 1;
  int* border = calloc(n + 1, sizeof *border);
  unsigned sum = 0;
  for (int i = 1, k = 0; i < n; ++i) {
    while (k > 0 && text[k] != text[i]) k = border[k - 1];
    k += text[k] == text[i];
    sum += border[i] = k;
  }
  printf("%u\n", (unsigned)(sum));
  return 0;
}
