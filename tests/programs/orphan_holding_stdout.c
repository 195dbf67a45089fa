// Exits at once and leaves a child that holds stdout and stderr open, asleep; with argument "write" it goes
// on writing a line every 100 ms. A reader of the pipe sees its end only when the last holder closes it: a
// judge that waits for that, waits for the child.
// Tally: OK, at once, with a process limit of 2 or more; nothing is written after the program's end.
#include "program.h"

int main(int argc, char** argv) {
  const int writes = argc > 1 && strcmp(argv[1], "write") == 0;
  const pid_t child = fork();
  if (child < 0) return 1;
  if (child == 0) {
    SafetyNet();
    while (usleep(100000) == 0) {
      if (writes && write(1, "LATE\n", 5) < 0) _exit(1);
    }
  }
  End();
  return 0;
}
