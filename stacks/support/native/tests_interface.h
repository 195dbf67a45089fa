// What the guard (guard.c) asks of a test program's library; each framework has a file that answers (check_cases.c,
// assert_program.c, ...), and may leave out what it does not need. Exported by the tests alone: of a solution that
// defines one of these names, nothing is asked.
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

// Prints the cases' ids on stdout, a line each. The status to end with.
int tally_list(char **arguments);
// Before main: only this case runs. The arguments for main, which end in NULL; `program` is the first.
char **tally_select(char *program, char *id);
// In main's place.
int tally_main(int argc, char **argv, char **environment);
// After main has returned: JUnit XML of what was run, to be kept until the process ends.
const char *tally_report(void);

// Of the library that counts allocations (leaks.c).
void tally_leak_counts(long *allocations, long *frees);
// Of a solution built for coverage (coverage_dump.c).
void tally_coverage(void);

#ifdef __cplusplus
}
#endif
