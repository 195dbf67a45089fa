// A chain of argv[1] processes (default 4): each burns 250 ms of CPU, forks the next, and exits before that
// one is done. The first waits for the end of a pipe, then says END. Each of them is reaped by init, not by
// the program: its time never reaches the program's children time.
// Tally: TLE when the CPU limit is below argv[1] * 250 ms and processes are permitted (3); OK with larger
// limits, time_used includes all of them.
#include "program.h"

#include <time.h>

int main(int argc, char** argv) {
  int alive[2];
  char byte;
  SafetyNet();
  if (pipe(alive) != 0) return 1;
  long long left = Number(argc, argv, 1, 4);
  const pid_t first = fork();
  if (first < 0) return 1;
  if (first > 0) {
    close(alive[1]);
    while (read(alive[0], &byte, 1) < 0) {
    }
    End();
    return 0;
  }
  for (; left > 0; --left) {
    const clock_t begin = clock();
    while (clock() - begin < CLOCKS_PER_SEC / 4) {
      for (volatile int n = 0; n < 100000; ++n) {
      }
    }
    if (left > 1 && fork() != 0) break;
  }
  _exit(0);
}
