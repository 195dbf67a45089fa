// A chain of argv[1] processes (default 500): each forks the next and exits at once, so that two live at a time, and some
// that wait for a processor to exit on, beside the first, which waits for the last one's byte and says END.
// Tally: OK with 16 processes, however quickly they follow each other; RV with 1.
#include "program.h"

int main(int argc, char** argv) {
  int last[2];
  char byte;
  SafetyNet();
  if (pipe(last) != 0) return 1;
  const pid_t first = fork();
  if (first < 0) return 1;
  if (first > 0) {
    close(last[1]);
    if (read(last[0], &byte, 1) != 1) return 1;
    End();
    return 0;
  }
  for (long long left = Number(argc, argv, 1, 500); left > 0; --left) {
    if (fork() != 0) _exit(0);
  }
  if (write(last[1], "x", 1) != 1) _exit(1);
  _exit(0);
}
