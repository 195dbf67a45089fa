// A test program of plain assert: its one case passes when main returns 0. An assertion of the tests that fails is a
// failure with the sentence that assert prints, and ends the program there. (One of the solution is its abort.) Their
// object is linked with --wrap=__assert_fail; the name is hidden, so the solution cannot call or replace it.
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "frames.h"
#include "junit_text.h"
#include "tests_interface.h"

extern int main(int argc, char **argv, char **environment);
extern char *program_invocation_short_name;

static const char *id = "";
static const char *failed;
static int ended;
static jmp_buf end;
static pid_t first_thread;

static char **Select(char *program, char *case_id) {
  static char *arguments[2];
  arguments[0] = program;
  id = case_id;
  return arguments;
}

__attribute__((visibility("hidden"), noreturn)) void __wrap___assert_fail(const char *assertion, const char *file,
                                                                          unsigned line, const char *function) {
  if (strncmp(file, "/box/", 5) == 0) file += 5;
  char *sentence = NULL;
  if (asprintf(&sentence, "%s:%u: %s: Assertion `%s' failed.", file, line, function, assertion) < 0) abort();
  fprintf(stderr, "%s\n", sentence);
  if (gettid() != first_thread) abort();  // of another thread, or in a child
  failed = sentence;
  longjmp(end, 1);
}

static int Main(int argc, char **argv, char **environment) {
  first_thread = gettid();
  if (setjmp(end) != 0) return 1;
  frames_begin();
  const int status = main(argc, argv, environment) & 0xff;
  char *sentence = NULL;
  if (status != 0 && asprintf(&sentence, "main returned %d", status) < 0) abort();
  failed = status != 0 ? sentence : frames_fault();
  ended = status == 0;
  return status;
}

static const char *Report(void) {
  char *text = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&text, &size);
  if (out == NULL) return "";
  junit_case(out, id, id, !ended ? "failure" : failed != NULL ? "error" : NULL, failed, "");
  return fclose(out) == 0 ? text : "";
}

const struct tally_tests tally_tests = {.select = Select, .main = Main, .report = Report};
