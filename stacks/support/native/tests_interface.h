// What the guard (guard.c) asks of a test program's library. Each framework has a file that answers (check_cases.c,
// assert_program.c, ...).
//
// It is one name, and the tests' library always has it: a look-up that finds it there goes no further, so no name of a
// solution is ever looked up, called or resolved, whatever it defines. Each name below has its cheat in
// tests/evaluation/native_names_test.cc.
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

struct tally_tests {
  // Prints the cases' ids on stdout, a line each. The status to end with. NULL: the cases are known otherwise.
  int (*list)(char **arguments);
  // Before main: only this case runs. The arguments for main, which end in NULL; `program` is the first.
  char **(*select)(char *program, char *id);
  int (*main)(int argc, char **argv, char **environment);
  // After main has returned: JUnit XML of what was run, to be kept until the process ends.
  const char *(*report)(void);
};

extern const struct tally_tests tally_tests;

// Of the library that counts allocations (leaks.c in C, lost.c in C++); the guard is linked with it. Begin: before main. Counts: after it, and
// 0 where they cannot be told.
void tally_leaks_begin(void);
int tally_leak_counts(long *allocations, long *frees);
// Of a solution that is built for coverage (coverage_dump.c): called where nothing is judged.
void tally_coverage(void);

#ifdef __cplusplus
}
#endif
