// Leads a process group of its own, forks argv[1] children (default 2) that exit at once, never waits for them, and exits: the dead hold
// its number as their group's when its own end is told.
// Tally: OK with a process limit above argv[1]; the next program of a batch is process 2 again.
#include "program.h"

int main(int argc, char** argv) {
  SafetyNet();
  if (setpgid(0, 0) != 0) return 1;
  for (long long i = Number(argc, argv, 1, 2); i > 0; --i) {
    const pid_t child = fork();
    if (child == 0) _exit(0);
    if (child < 0) Report("fork", -1);
  }
  usleep(1000);
  End();
  return 0;
}
