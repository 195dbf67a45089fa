// Says OK, then 256 MiB of comment in one line.
// Only the first lines are of use, yet somebody has to hold or bound what comes.
// Tally: bounded: either OK with a comment cut to its limit or a result that says the checker wrote too much;
// neither the disk nor the worker's memory fills.
#include <string.h>
#include <unistd.h>

int main(void) {
  static char block[65536];
  memset(block, 'c', sizeof block);
  alarm(60);
  if (write(1, "OK\n", 3) != 3) return 1;
  for (int i = 0; i < 4096; ++i) {
    if (write(1, block, sizeof block) <= 0) return 1;
  }
  return 0;
}
