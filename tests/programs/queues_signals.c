// Blocks real-time signals and sends itself ARGV[1] of them, as many as its user may have pending (RLIMIT_SIGPENDING). With a
// second argument it then waits for the end of its input.
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char** argv) {
  sigset_t all;
  sigfillset(&all);
  sigprocmask(SIG_BLOCK, &all, NULL);
  const int wanted = argc > 1 ? atoi(argv[1]) : 1;
  for (int i = 0; i < wanted; ++i) {
    if (raise(SIGRTMIN + 1) != 0) {
      perror("raise");
      return 1;
    }
  }
  char byte;
  if (argc > 2 && read(0, &byte, 1) < 0) return 2;
  puts("END");
  return 0;
}
