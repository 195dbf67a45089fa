// Says OK and exits with the number that the hint begins with (default 1).
// Tally (SIO protocol): OK: "its exit code is ignored". (SIO Workers of today take 2 and more for a failure.)
#include <stdio.h>

int main(int argc, char** argv) {
  int code = 1;
  FILE* hint = argc > 3 ? fopen(argv[3], "r") : NULL;
  if (hint != NULL && fscanf(hint, "%d", &code) != 1) code = 1;
  puts("OK\nsaid in spite of the exit code");
  return code;
}
