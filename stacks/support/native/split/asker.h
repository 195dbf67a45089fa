// The tests' end, in the guard (guard.c). What the tests call of the solution is asked of its process if TALLY_SPLIT names the descriptors to it
// (evaluation/solution_side.h), and returns nothing otherwise: while cases are listed.
#pragma once

// Before the tests are loaded.
void split_open(void (*give_up)(const char *why));
// After that, and before their main.
void split_begin(void *tests, const char *file);
extern void (*split_give_up)(const char *why);  // tests_end.c
