// Says OK and nothing else, whatever the files are.
// Two of the three lines may be missing: no comment, and without a percentage it is 100.
// Tally (SIO protocol): OK, 100 percent.
#include <stdio.h>

int main(void) {
  puts("OK");
  return 0;
}
