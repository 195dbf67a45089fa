// Prints the hint file as it is: a test writes there what the checker shall say, byte for byte. For tables
// over the protocol: "OK", "OK\r\n", " OK", "ok", "OK\n\n50", "OK\nx\n1e2", no newline at the end...
// Tally (SIO protocol): as the text says; exit code 0.
#include <stdio.h>

int main(int argc, char** argv) {
  FILE* hint = argc > 3 ? fopen(argv[3], "rb") : NULL;
  if (hint == NULL) return 1;
  for (int c; (c = getc(hint)) != EOF;) putchar(c);
  return 0;
}
