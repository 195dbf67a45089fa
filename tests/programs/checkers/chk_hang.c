// Says OK and then loops for ever; with "sleep" as the hint's first word it sleeps instead (60 s at most,
// bare). A checker runs under limits of its own: CPU time ends the loop, wall or idle time the sleep.
// Tally: a clear result that says which limit the checker exceeded, never a silent OK.
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char** argv) {
  char word[16] = "";
  FILE* hint = argc > 3 ? fopen(argv[3], "r") : NULL;
  if (hint != NULL && fscanf(hint, "%15s", word) != 1) word[0] = 0;
  alarm(60);
  puts("OK");
  fflush(stdout);
  if (strcmp(word, "sleep") == 0) {
    for (;;) pause();
  }
  for (volatile unsigned long i = 0;; ++i) {
  }
}
