// Prints END, closes its three standard streams, works on a little and exits 0.
// When the last writer closes a pipe the reader sees the end of the file: the end of the output is not the
// end of the program. A supervisor that waits for one instead of the other stops too early or too late.
// Tally: OK; with argument "sleep" it then sleeps for ever: TLE (idle or wall).
#include "program.h"

int main(int argc, char** argv) {
  SafetyNet();
  End();
  for (int fd = 0; fd < 3; ++fd) close(fd);
  for (volatile long i = 0; i < 10000000; ++i) {
  }
  if (argc > 1 && strcmp(argv[1], "sleep") == 0) {
    for (;;) pause();
  }
  return 0;
}
