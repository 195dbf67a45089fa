// Says WRONG, a comment, and a percentage that must not be believed: it counts only after OK.
// Tally (SIO protocol): WA, 0 percent, comment "line 1: not what I expected".
#include <stdio.h>

int main(void) {
  puts("WRONG\nline 1: not what I expected\n50");
  return 0;
}
