// Says OK, a comment, and 42.5.
// Tally (SIO protocol): OK, 42.5 percent, comment "almost".
#include <stdio.h>

int main(void) {
  puts("OK\nalmost\n42.5");
  return 0;
}
