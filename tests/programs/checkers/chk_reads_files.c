// Reads all three files (in, out, hint) to their ends; OK when out and hint are equal byte for byte.
// The comment tells the three sizes, so that a test sees that each argument was the right file.
// Tally (SIO protocol): OK or WA; with a file missing or unreadable it says WRONG and which.
#include <errno.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char** argv) {
  FILE* files[3];
  long sizes[3] = {0, 0, 0};
  for (int i = 0; i < 3; ++i) {
    files[i] = argc > i + 1 ? fopen(argv[i + 1], "rb") : NULL;
    if (files[i] == NULL) {
      printf("WRONG\nargument %d: %s\n", i + 1, argc > i + 1 ? strerror(errno) : "missing");
      return 0;
    }
  }
  while (getc(files[0]) != EOF) ++sizes[0];
  int same = 1;
  for (int a = 0, b = 0; a != EOF || b != EOF;) {
    if (a != EOF && (a = getc(files[1])) != EOF) ++sizes[1];
    if (b != EOF && (b = getc(files[2])) != EOF) ++sizes[2];
    if (a != b) same = 0;
  }
  printf("%s\nin %ld out %ld hint %ld\n%d\n", same ? "OK" : "WRONG", sizes[0], sizes[1], sizes[2],
         same ? 100 : 0);
  return 0;
}
