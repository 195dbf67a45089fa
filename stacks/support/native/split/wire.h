// Messages between the two sides of a split, over two pipes: each is its size, its kind, and bytes. What is in them is talk.h's and
// split_cpp/calls.hh's affair.
#pragma once

#include <stddef.h>
#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { kLongestMessage = 64 << 20 };

#define kFlood "output limit exceeded"

struct Wire {
  pid_t process;         // the solution's
  int in, out, notices;  // notices: the tests' (evaluation/solution_side.h), or -1
};

extern struct Wire wire;

// The tests' ends, from TALLY_SPLIT; has the solution's process started. 0: nobody is there to be asked, cases are listed.
int wire_open(void);

void wire_send(char kind, const char *bytes, size_t size);
char *wire_receive(char *kind, size_t *size);
// The tests', when the solution's process says that the case cannot go on, and why.
__attribute__((noreturn)) void wire_refused(const char *why, size_t size);

#ifdef __cplusplus
}
#endif
