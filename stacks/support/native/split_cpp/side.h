// What the generated code of either side asks of the program that has loaded it: the guard (asker.c) or the answerer (answerer.c).
#pragma once

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct tally_split_side {
  // Sends a question and waits for its answer, which is there until the next one. NULL: nobody is there to be asked, cases are listed. (The tests' alone.)
  const char *(*ask)(const char *question, size_t size, size_t *answered);
  void (*end)(const char *why) __attribute__((noreturn));
  void (*misunderstood)(const char *what) __attribute__((noreturn));
  // Of what stays in the solution's process: the tests have an address without memory for each. 0 is NULL.
  uint32_t (*number_of)(void *address);
  void *(*address_of)(uint32_t number);
  // The solution's alone: an object that was made for a call is kept when it is deleted, and it can be asked whether it was.
  void (*keep)(void *object);
  int (*is_deleted)(const void *object);
};

extern const struct tally_split_side tally_split_side __attribute__((weak));

#ifdef __cplusplus
}
#endif
