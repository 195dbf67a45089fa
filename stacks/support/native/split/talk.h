// The talk of both sides (wire.h). What messages are made of is in values.h; their kinds:
//
//   h  to the solution: types, functions and variables, as tables.c writes them; answered by r with the variables
//   c  to the solution: a function of its and arguments; to the tests: one that they have given, and arguments
//   r  the answer: what the arguments lead to now, and the result
//   x  to the tests: why the case cannot go on
//
// All begin with what was printed meanwhile and with which objects were freed.
#pragma once

#include "calls.h"
#include "values.h"
#include "wire.h"

struct Talk {
  struct Named *functions, *variables;
  int function_count, variable_count;
  // What was printed since the last message; what to do with it.
  void (*put_printed)(struct Message *message);
  void (*get_printed)(struct Message *message);
  // The function that a number means to this side; NULL: none. Its type into `type`.
  void *(*function)(uint32_t number, const struct Type **type, const char **name);
};

extern struct Talk talk;

void talk_send(char kind, struct Message *message);
struct Message *talk_receive(char *kind);
// The other side's function: its result, and whatever becomes of what the arguments lead to.
void talk_call(uint32_t number, struct Call *call);
// Answers calls until the answer comes.
struct Message *talk_wait(void);
void talk_answer(struct Message *message);
void talk_begin(struct Message *message);  // of each message that is written
void talk_head(struct Message *message);   // of each that is read
void talk_variables(struct Message *message, int put);
