// What solutions in C try from a process of their own, instead of returning 42. The messages are those of split/talk.h.
#pragma once

#include <stddef.h>

#define CHEATS(CHEAT)                                                                                                                  \
  CHEAT(garbage) CHEAT(endless) CHEAT(empty) CHEAT(no_kind) CHEAT(another_kind) CHEAT(shorter) CHEAT(longer) CHEAT(many_objects)        \
  CHEAT(objects_elsewhere) CHEAT(printed_much) CHEAT(freed_much) CHEAT(object_twice) CHEAT(object_cut_off) CHEAT(asks_for_no_function)  \
  CHEAT(gives_reasons) CHEAT(begins_anew) CHEAT(exits) CHEAT(exits_at_once) CHEAT(crashes) CHEAT(aborts) CHEAT(hangs) CHEAT(floods)      \
  CHEAT(eats) CHEAT(ends_its_thread) CHEAT(forks_and_answers) CHEAT(forks_guesses) CHEAT(executes) CHEAT(jumps) CHEAT(closes_all)        \
  CHEAT(answers_twice) CHEAT(writes_everywhere) CHEAT(looks_for_tests) CHEAT(reads_memory)

#define DECLARE(name) int name(void);
CHEATS(DECLARE)

struct pair { int in, expected; };
struct link { char *text; struct link *next; };
typedef int call(int);

void changes_a_constant(const int *numbers, int count);
int reads_beside(const int *in);
int reads_behind(const char *text);
int reads_around(const struct link *link);
void keeps(int *where);
int writes_later(void);
char *returns_what_was(void);
void forges_bytes(void *words, size_t count, const char *near);
struct link *returns_no_link(void);
struct link *returns_bytes_as_a_link(char *bytes);
char *returns_an_unknown_one(void);
char *returns_behind_it(void);
char *returns_the_tests(void);
char *returns_a_function(call *function);
call *returns_an_object(void);
char *returns_no_end(void);
int asks_with_less(call *function);
int asks_another_function(call *function);
int asks_from_a_thread(call *function);
int changes_its_size(int *number);
int frees_the_tests(int *number);
int *returns_the_end(int *numbers, int count);
struct pair *returns_too_little(void);
void sorts(int *numbers, int count);
const char *expected_or_not(int n);
