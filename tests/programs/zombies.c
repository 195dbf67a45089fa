// Forks argv[1] children (default 20) that exit at once, never waits for them, and exits. A dead child stays
// in the process table until somebody waits: its parent, or, when that is dead, init. A pid namespace without
// an init that reaps fills up.
// Tally: OK with a process limit above argv[1]; no zombie is left after the run. RV ("clone") with 1.
#include "program.h"

int main(int argc, char** argv) {
  for (long long i = Number(argc, argv, 1, 20); i > 0; --i) {
    const pid_t child = fork();
    if (child == 0) _exit(0);
    if (child < 0) Report("fork", -1);
  }
  End();
  return 0;
}
