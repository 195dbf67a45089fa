// Ends as testlib does: a message to stderr and exit code 0 ok, 1 wrong answer, 2 presentation error, 3 fail,
// 4 dirt, 5 or 7 points, 8 unexpected end of file, 16 + N partially. The hint may say which ("exit CODE
// MESSAGE"); else it compares the tokens of out and hint. A fourth argument is the file for testlib's report.
// Tally (checker_protocol testlib): 0 OK; 1, 2, 4, 8 WA; 7 with "points X"; 3 and unknown codes a checker
// failure.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int Quit(int argc, char** argv, int code, const char* message) {
  FILE* report = argc > 4 ? fopen(argv[4], "w") : NULL;
  fprintf(stderr, "%s\n", message);
  if (report != NULL) fprintf(report, "%s\n", message), fclose(report);
  return code;
}

int main(int argc, char** argv) {
  char line[256] = "", got[256], wanted[256];
  FILE* out = argc > 2 ? fopen(argv[2], "r") : NULL;
  FILE* hint = argc > 3 ? fopen(argv[3], "r") : NULL;
  if (out == NULL || hint == NULL) return Quit(argc, argv, 3, "FAIL cannot open a file");
  if (fgets(line, sizeof line, hint) != NULL && strncmp(line, "exit ", 5) == 0) {
    char* message = NULL;
    const int code = (int)strtol(line + 5, &message, 10);
    message[strcspn(message, "\n")] = 0;
    return Quit(argc, argv, code, *message == ' ' ? message + 1 : message);
  }
  rewind(hint);
  for (int tokens = 0;; ++tokens) {
    const int have = fscanf(out, "%255s", got) == 1, want = fscanf(hint, "%255s", wanted) == 1;
    if (!have && !want) return snprintf(line, sizeof line, "ok %d tokens", tokens), Quit(argc, argv, 0, line);
    if (have != want || strcmp(got, wanted) != 0) {
      snprintf(line, sizeof line, "wrong answer token %d differs", tokens + 1);
      return Quit(argc, argv, have ? 1 : 8, line);
    }
  }
}
