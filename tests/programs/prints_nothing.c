// Reads all its input, prints nothing (no END either: that is the behaviour) and exits 0.
// The output file exists and has 0 bytes: the supervisor opened it, not the program.
// Tally: OK without check_output; WA with any hint that has a token.
#include "program.h"

int main(void) {
  char buffer[4096];
  while (read(0, buffer, sizeof buffer) > 0) {
  }
  return 0;
}
