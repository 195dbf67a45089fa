// Growth n; array; 1000,2000,3000,5000,10000,30000,50000,100000: open addressing, doubled when it is half full
#include <stdio.h>
#include <stdlib.h>

static int Number(void) {
  int c = getchar_unlocked(), out = 0;
  while (c < '0') c = getchar_unlocked();
  for (; c >= '0'; c = getchar_unlocked()) out = out * 10 + c - '0';
  return out;
}

int main(void) {
  int n = Number(), size = 16, used = 0;
  int* table = calloc(size, sizeof *table);
  for (int i = 0; i < n; ++i) {
    if (2 * used >= size) {
      int* larger = calloc(2 * size, sizeof *larger);
      for (int k = 0; k < size; ++k) {
        if (table[k] == 0) continue;
        unsigned at = (unsigned)table[k] * 2654435761u % (2 * size);
        while (larger[at]) at = (at + 1) % (2 * size);
        larger[at] = table[k];
      }
      free(table);
      table = larger, size *= 2;
    }
    int a = Number();
    unsigned at = (unsigned)a * 2654435761u % size;
    while (table[at] && table[at] != a) at = (at + 1) % size;
    used += table[at] == 0;
    table[at] = a;
  }
  printf("%u\n", (unsigned)(used));
  return 0;
}
