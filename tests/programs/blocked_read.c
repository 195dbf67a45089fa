// Reads from a pipe whose writing end it holds itself, so that neither data nor the end ever come; with
// argument "stdin" it reads stdin, for a test that keeps the other end of stdin open.
// A read of an empty pipe sleeps as long as any descriptor for writing exists, the reader's own included.
// Tally: TLE (idle or wall), whatever the CPU limits.
#include "program.h"

int main(int argc, char** argv) {
  SafetyNet();
  int ends[2] = {0, -1};
  if ((argc < 2 || strcmp(argv[1], "stdin") != 0) && pipe(ends) != 0) return 1;
  char byte;
  while (read(ends[0], &byte, 1) > 0) {
  }
  End();
  return 0;
}
