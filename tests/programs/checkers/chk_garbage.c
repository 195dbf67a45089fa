// Prints 300 bytes of every value (NUL, newlines, invalid UTF-8 among them) with no line that says OK.
// Tally (SIO protocol): WA; the comment in the result is valid UTF-8 of one line and of limited length.
#include <stdio.h>

int main(void) {
  for (int i = 0; i < 300; ++i) putchar((i * 167 + 129) & 255);
  return 0;
}
