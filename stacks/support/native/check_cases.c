// libcheck, one test at a time. The tests' main builds its suites as ever; their object is linked with --wrap for the
// functions below (check.options), so that listing prints each test that is added and a run adds only the one that is
// wanted. It is run in this process: in libcheck's own children a test that calls _exit(0) has passed. Only a test that
// is to end by a signal or another status than 0 runs in one. A loop test's iterations are cases of their own, NAME/I.
//
// Of the test cases (TCase) a suite gets the wanted test's alone: libcheck executes the unchecked fixtures of each, of those
// without a test, too, and one that fails would be every test's failure.
#define _GNU_SOURCE
#include <check.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "frames.h"
#include "junit_text.h"
#include "tests_interface.h"

#define HIDDEN __attribute__((visibility("hidden")))

extern int main(int argc, char **argv, char **environment);

static FILE *list;          // where cases are listed, when they are
static const char *wanted;  // the one that is run; NULL: all
static enum fork_status fork_status = CK_NOFORK;
static char *failed;         // the assertion that did
static char *report;

static struct Made {
  TCase *tcase;
  Suite *suite;      // that it was added to, as the tests think
  const char *name;
  int chosen;        // it has the wanted test
} *made;
static size_t made_count;

HIDDEN TCase *__wrap_tcase_create(const char *name) {
  if (made_count % 64 == 0) made = realloc(made, (made_count + 64) * sizeof *made);
  if (made == NULL) abort();
  made[made_count] = (struct Made){.tcase = tcase_create(name), .name = name};
  return made[made_count++].tcase;
}

static struct Made *MadeOf(const TCase *tcase) {
  for (size_t i = 0; i < made_count; ++i) {
    if (made[i].tcase == tcase) return &made[i];
  }
  return NULL;
}

HIDDEN void __wrap_suite_add_tcase(Suite *suite, TCase *tcase) {
  struct Made *one = MadeOf(tcase);
  if (one != NULL) one->suite = suite;
}

static void AddChosen(void) {
  for (size_t i = 0; i < made_count; ++i) {
    if (made[i].suite != NULL && (made[i].chosen || wanted == NULL)) suite_add_tcase(made[i].suite, made[i].tcase);
  }
}

static char *Id(const TCase *tcase, const char *test, int iteration) {
  const struct Made *of = MadeOf(tcase);
  const char *tcase_name = of != NULL ? of->name : "";
  char *id = NULL;
  const int size = iteration == 0 ? asprintf(&id, "%s#%s", test, tcase_name)
                                  : asprintf(&id, "%s/%d#%s", test, iteration, tcase_name);
  return size < 0 ? abort(), NULL : id;
}

HIDDEN void __wrap__tcase_add_test(TCase *tcase, const TTest *test, int signal, int status, int begin, int end) {
  for (int i = begin; i < end; ++i) {
    char *id = Id(tcase, test->name, i);
    if (list != NULL) {
      fprintf(list, "%s\n", id);
    } else if (wanted == NULL || strcmp(wanted, id) == 0) {
      if (signal != 0 || status != 0) fork_status = CK_FORK;
      struct Made *of = MadeOf(tcase);
      if (of != NULL) of->chosen = 1;
      _tcase_add_test(tcase, test, signal, status, i, i + 1);
    }
    free(id);
  }
}

// libcheck writes failures into a file for itself, which others could empty. What failed is known here, too.
HIDDEN void __wrap__ck_assert_failed(const char *file, int line, const char *assertion, const char *format, ...) {
  char *words = NULL;
  if (format != NULL) {
    va_list arguments;
    va_start(arguments, format);
    if (vasprintf(&words, format, arguments) < 0) abort();
    va_end(arguments);
  }
  if (strncmp(file, "/box/", 5) == 0) file += 5;
  if (asprintf(&failed, "%s:%d: %s", file, line, words != NULL ? words : assertion) < 0) abort();
  _ck_assert_failed(file, line, assertion, words != NULL ? "%s" : NULL, words);
  abort();
}

// Of several runners that the tests have, one executes the wanted test.
static void KeepReport(SRunner *runner, const char *fault) {
  if (srunner_ntests_run(runner) == 0) return;
  size_t size = 0;
  FILE *out = open_memstream(&report, &size);
  TestResult **results = srunner_results(runner);
  for (int i = 0; out != NULL && i < srunner_ntests_run(runner); ++i) {
    const int kind = tr_rtype(results[i]);
    const char *tcase = tr_tcname(results[i]);
    const char *how = failed != NULL || kind == CK_FAILURE ? "failure" : kind == CK_PASS && fault == NULL ? NULL : "error";
    const char *message = failed != NULL ? failed : kind == CK_PASS && fault != NULL ? fault : tr_msg(results[i]);
    junit_case(out, tcase, wanted == NULL ? tcase : wanted, how, message, "");
  }
  free(results);
  if (out != NULL) fclose(out);
}

HIDDEN void __wrap_srunner_run_tagged(SRunner *runner, const char *suite, const char *tcase, const char *include,
                                      const char *exclude, enum print_output print) {
  if (list != NULL) return;
  (void)suite, (void)tcase, (void)include, (void)exclude, (void)print;
  srunner_set_fork_status(runner, fork_status);
  AddChosen();
  static int running, began;
  const int again = running++ != 0 || report != NULL;
  if (again || began++ == 0) frames_begin();
  srunner_run_tagged(runner, NULL, NULL, NULL, NULL, CK_SILENT);  // what is printed is the solution's
  --running;
  KeepReport(runner, frames_fault());
}
HIDDEN void __wrap_srunner_run(SRunner *runner, const char *suite, const char *tcase, enum print_output print) {
  __wrap_srunner_run_tagged(runner, suite, tcase, NULL, NULL, print);
}
HIDDEN void __wrap_srunner_run_all(SRunner *runner, enum print_output print) {
  __wrap_srunner_run_tagged(runner, NULL, NULL, NULL, NULL, CK_SILENT);  // what is printed is the solution's
}

// Decided above; and there is nowhere to write logs to.
HIDDEN void __wrap_srunner_set_fork_status(SRunner *runner, enum fork_status status) { (void)runner, (void)status; }
HIDDEN void __wrap_srunner_set_log(SRunner *runner, const char *file) { (void)runner, (void)file; }
HIDDEN void __wrap_srunner_set_xml(SRunner *runner, const char *file) { (void)runner, (void)file; }
HIDDEN void __wrap_srunner_set_tap(SRunner *runner, const char *file) { (void)runner, (void)file; }

static char **Select(char *program, char *id) {
  static char *arguments[2];
  arguments[0] = program;
  wanted = id;
  return arguments;
}

// What their main prints is no list.
static int List(char **arguments) {
  const int out = dup(STDOUT_FILENO), nothing = open("/dev/null", O_WRONLY);
  if (out < 0 || nothing < 0 || dup2(nothing, STDOUT_FILENO) < 0) return 1;
  list = fdopen(out, "w");
  if (list == NULL) return 1;
  main(1, arguments, environ);
  return fclose(list) == 0 ? 0 : 1;
}

static const char *Report(void) { return report == NULL ? "" : report; }

const struct tally_tests tally_tests = {.list = List, .select = Select, .main = main, .report = Report};
