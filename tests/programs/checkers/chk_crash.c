// Dies of SIGSEGV without a word; with "crash late" as the hint's first words it says OK first and then dies.
// stdout is a pipe or a file, so what was flushed before the fault has arrived.
// Tally: a clear result that says the checker crashed (signal 11), never a silent OK.
#include <stdio.h>
#include <string.h>

int main(int argc, char** argv) {
  char line[64] = "";
  FILE* hint = argc > 3 ? fopen(argv[3], "r") : NULL;
  if (hint != NULL && fgets(line, sizeof line, hint) == NULL) line[0] = 0;
  if (strncmp(line, "crash late", 10) == 0) {
    puts("OK\nI am fine\n100");
    fflush(stdout);
  }
  *(volatile int*)8 = 1;
  return 0;
}
