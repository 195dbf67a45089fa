// Ignores SIGXFSZ and SIGPIPE, writes argv[1] MiB (default 256) and goes on after every failed write (1000
// times at most); then says END on stderr and exits 0. An ignored SIGXFSZ leaves EFBIG as the write's answer:
// the program is never told to die.
// Tally: OLE when the output limit is below argv[1], although no signal came and the exit code is 0.
#include "program.h"

#include <signal.h>

int main(int argc, char** argv) {
  static char block[65536];
  memset(block, 'x', sizeof block);
  signal(SIGXFSZ, SIG_IGN);
  signal(SIGPIPE, SIG_IGN);
  SafetyNet();
  int failures = 0;
  for (size_t left = (size_t)Number(argc, argv, 1, 256) * MIB; left > 0 && failures < 1000;) {
    const ssize_t n = write(1, block, left < sizeof block ? left : sizeof block);
    if (n <= 0) ++failures;
    if (n > 0) left -= (size_t)n;
  }
  fprintf(stderr, "%d failures\nEND\n", failures);
  return 0;
}
