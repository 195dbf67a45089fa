// argv[1] children (default 60) make system calls without end; then another is made, and says so if it ever executes anything.
// Tally: with as many processes as the children and the first RV, soon, however busy the others keep the supervisor; "EXTRA" is not said.
#include "program.h"

#include <sys/wait.h>

int main(int argc, char** argv) {
  const long long children = Number(argc, argv, 1, 60);
  SafetyNet();
  for (long long i = 0; i < children; ++i) {
    if (fork() == 0) {
      for (;;) getppid();
    }
  }
  if (fork() == 0) {
    if (write(1, "EXTRA\n", 6) != 6) _exit(1);
    _exit(0);
  }
  for (;;) getppid();
}
