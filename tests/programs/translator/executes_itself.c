// execve of itself, with a counter in its argument: everything about the old program must be forgotten.
#include "program.h"

int main(int argc, char** argv) {
  const long left = Number(argc, argv, 1, 3);
  printf("%ld left, %d arguments\n", left, argc);
  fflush(stdout);
  if (left > 0) {
    char text[24];
    snprintf(text, sizeof text, "%ld", left - 1);
    char* const arguments[] = {argv[0], text, NULL};
    char* const environment[] = {NULL};
    execve(argv[0], arguments, environment);
    return 2;
  }
  End();
  return 0;
}
