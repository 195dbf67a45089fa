// Prints its own /proc/self/maps, where the sandbox has a /proc.
// Tally: OK; translated, a room of 16 TiB that nobody may touch and in it one page: the counters.
#include "program.h"

int main(void) {
  FILE* maps = fopen("/proc/self/maps", "r");
  if (maps == NULL) return 3;
  for (int c; (c = getc(maps)) != EOF;) putchar(c);
  End();
  return 0;
}
