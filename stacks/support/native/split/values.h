// Messages: values, with all that their pointers lead to.
//
// A pointer is the number of the object that it points into and an offset. Objects come beside the values, each with its number, its size and
// its contents, in which pointers are written so, too. The types are those that the tests declare: nothing of them is in a message, and what
// a number means is decided by the side that reads it. So what the solution's process says can become values, addresses of what it was given
// in this call or has made itself, and bytes there, and nothing else.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "memory.h"
#include "types.h"

struct Message {
  char *data;
  size_t size, room;      // that is written
  const char *at;         // that is read
  size_t left;
  struct Object **queue;  // that are in it
  size_t queued, queue_room;
  uint64_t number;
  int is_argument;        // what is written now, or read and not kept
  struct Part *parts;
  size_t part_count;
};

struct Message *message_new(void);
void message_free(struct Message *message);

void put_bytes(struct Message *message, const void *bytes, size_t size);
void put_number(struct Message *message, uint32_t number);
void put_value(struct Message *message, const struct Type *type, const void *value);
void put_object(struct Message *message, struct Object *object);  // though no pointer leads to it
void put_objects(struct Message *message);                        // behind all values

const void *get_bytes(struct Message *message, size_t size);
uint32_t get_number(struct Message *message);
void get_objects(struct Message *message);  // first of all; they are at its end
void get_value(struct Message *message, const struct Type *type, void *value);
void get_object(struct Message *message, struct Object *object);
void fill_objects(struct Message *message);

// Functions that are given, by the side that asks (calls.c).
uint32_t lend_function(const void *function, const struct Type *type);
void *borrowed_function(uint32_t number, const struct Type *type);
extern int is_tests_side;
