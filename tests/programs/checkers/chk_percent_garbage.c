// Says OK, a comment, and a third line that is no number: "42,5 %".
// A decimal comma is what a careless locale prints.
// Tally (SIO protocol): a clear result that names the third line; neither 100 percent nor 42.
#include <stdio.h>

int main(void) {
  puts("OK\ncomment\n42,5 %");
  return 0;
}
