// What a pointer of this process points into, and what the other process knows it as.
//
// An object is a block of the heap, a variable, a text: its begin and size are known from the allocator, from debug information of the code
// above in the stack, or from the text's end; of a pointer into anything else nothing is known. Each has a number that both sides know it by,
// even ones were made by the tests, odd ones by the solution. What stands for an object of the other side is a block of the heap (or, where
// it has no contents that this side knows of, an address without memory).
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "types.h"

struct Object {
  char *base;
  size_t size;
  uint32_t number;
  const struct Type *type;  // of its elements; NULL: bytes
  int is_ours, is_constant, is_heap, is_gone;
  int active;             // of those calls that are not over, how many have told of it: only then the other side may change it,
  int changeable;         // and not where it was told of by pointers to constants alone
  uint64_t seen, filled;  // the messages in which it was last
  const struct Variable *variable;  // of a function
};

// Of the code whose variables are known; where it lies, and its constants.
struct Place {
  const struct Table *table;
  uintptr_t loaded_at, text_begin, text_end;
};

void memory_begin(struct Place place, int odd);
void memory_moved(void);  // the stack is not the one that it was

// NULL: nothing is known of it. `wanted`: what the pointer is declared to point to. `message`: an object that is in it already is taken, if the
// pointer is at its end.
struct Object *memory_object(const char *at, const struct Type *wanted, uint64_t message);
// Whether it is still what it was: the memory of a variable may be another function's by now.
int memory_is_there(const struct Object *object);
struct Object *memory_handle(char *at);  // of what has no contents
struct Object *memory_variable(char *at, size_t size, uint32_t number);
struct Object *memory_numbered(uint32_t number);
// Of the other side: one that stands for it here. NULL: no such number may be new, or no memory is left.
struct Object *memory_mirror(uint32_t number, size_t size, size_t padding);

// Numbers of what was freed here since the last call; of the other side's, it may be freed there.
int memory_freed(uint32_t *numbers, int most);
void memory_forget(uint32_t number, int and_free);
