// A Kattis output validator: VALIDATOR in answer feedbackdir < output; 42 accepts, 43 rejects. Writes
// feedbackdir/judgemessage.txt; an answer that begins with "score X" also makes score.txt, and "exit N" exits
// with N, which by the protocol is a judge error unless it is 42 or 43.
// Tally (checker_protocol kattis): 42 OK, 43 WA with the judge message as the comment, anything else a
// failure.
#include <stdio.h>
#include <string.h>

static FILE* Feedback(char** argv, const char* name) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%s", argv[3], name);
  return fopen(path, "w");
}

int main(int argc, char** argv) {
  char word[256] = "", value[256] = "", got[256];
  FILE* answer = argc > 3 ? fopen(argv[2], "r") : NULL;
  FILE* message = argc > 3 ? Feedback(argv, "judgemessage.txt") : NULL;
  if (answer == NULL || message == NULL) return 1;
  if (fscanf(answer, "%255s %255s", word, value) == 2) {
    int code = 0;
    if (strcmp(word, "exit") == 0 && sscanf(value, "%d", &code) == 1) return code;
    if (strcmp(word, "score") == 0) {
      FILE* score = Feedback(argv, "score.txt");
      if (score == NULL) return 1;
      fprintf(score, "%s\n", value), fclose(score);
      fprintf(message, "scored %s\n", value), fclose(message);
      return 42;
    }
  }
  rewind(answer);
  for (int tokens = 0;; ++tokens) {
    const int have = scanf("%255s", got) == 1, want = fscanf(answer, "%255s", value) == 1;
    if (have && want && strcmp(got, value) == 0) continue;
    fprintf(message, have || want ? "token %d differs\n" : "%d tokens\n", have || want ? tokens + 1 : tokens);
    fclose(message);
    return have || want ? 43 : 42;
  }
}
