// Starts argv[1] children (default 3) that burn CPU, and exits at once with END.
// The children's CPU time is in nobody's wait status: they are killed as orphans after the program has ended.
// Tally: OK, at once, with a process limit above argv[1]; the children are dead when the result is there, and
// what they burned until then is in the CPU time.
#include "program.h"

int main(int argc, char** argv) {
  for (long long i = Number(argc, argv, 1, 3); i > 0; --i) {
    const pid_t child = fork();
    if (child < 0) return 1;
    if (child == 0) {
      SafetyNet();
      for (volatile unsigned long n = 0;; ++n) {
      }
    }
  }
  End();
  return 0;
}
