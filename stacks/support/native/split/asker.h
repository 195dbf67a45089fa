// The tests' end, in the guard (guard.c).
#pragma once

// After the tests are loaded and before their main. What they call of the solution is asked of its process if TALLY_SPLIT names the
// descriptors to it (evaluation/solution_side.h), and returns 0 otherwise: while cases are listed.
void split_begin(void *tests, const char *file, void (*give_up)(const char *why));
