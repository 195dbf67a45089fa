// Calls of functions by their types: where arguments and results are, as the System V ABI has it for x86-64.
#pragma once

#include <stdint.h>

#include "types.h"

enum { kMostParameters = 64, kMostFunctions = 256 };

// As enter.inc writes it.
struct Registers {
  uint64_t integer[6], sse[8], *stack, result[2], sse_result[2];
};

struct Call {
  const struct Type *type;
  char *arguments[kMostParameters];  // each in memory of its own
  char *result;
};

// Or ends the case: such a function cannot be called from another process.
struct Call *call_new(const struct Type *function, const char *name);
void call_free(struct Call *call);
void call_take(struct Call *call, const struct Registers *registers);  // arguments
void call_give(const struct Call *call, struct Registers *registers);  // the result
void call_do(struct Call *call, void *function);
