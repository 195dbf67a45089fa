// Growth n^2; string; 50..6400: common letters of a text and its reverse, by a table
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  int n;
  if (scanf("%d", &n) != 1) return 1;
  char* text = malloc(n + 2);
  if (scanf("%s", text) != 1) return 1;
  int* best = calloc(n + 1, sizeof *best);
  for (int i = 0; i < n; ++i) {
    for (int j = 1, corner = 0; j <= n; ++j) {
      int above = best[j];
      if (text[i] == text[n - j]) best[j] = corner + 1;
      else if (best[j - 1] > above) best[j] = best[j - 1];
      corner = above;
    }
  }
  printf("%u\n", (unsigned)(best[n]));
  return 0;
}
