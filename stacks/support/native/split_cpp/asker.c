// The tests' side of a split in C++, in the guard: sends what the generated stubs ask (calls.hh), and takes nothing on trust.
#define _GNU_SOURCE
#include "../split/asker.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../split/end.h"
#include "../split/printed.h"
#include "../split/wire.h"
#include "side.h"

// Addresses without memory, for what stays in the solution's process.
enum { kMostHandles = 1 << 24, kHandle = 16 };

static int connected;
static char *handles, *answer;

static const char *PrintAgain(const char *at, size_t *left) {
  fflush(NULL);
  for (int fd = 1; fd <= 2; ++fd) {
    uint32_t size = 0;
    if (*left < sizeof size) misunderstood("less than a message");
    memcpy(&size, at, sizeof size);
    if (size > *left - sizeof size) misunderstood("less than a message");
    printed_again(fd, at + sizeof size, size);
    at += sizeof size + size;
    *left -= sizeof size + size;
  }
  return at;
}

static const char *Ask(const char *question, size_t size, size_t *answered) {
  char kind = 0;
  if (!connected) return NULL;
  if (gettid() != getpid()) end_case("with params.split a thread of the tests cannot call the solution");
  wire_send('c', question, size);
  free(answer);
  answer = wire_receive(&kind, answered);
  if (kind == 'x') wire_refused(answer, *answered);
  if (kind != 'r') misunderstood("another kind of message");
  return PrintAgain(answer, answered);
}

static uint32_t NumberOf(void *address) {
  const char *at = address;
  if (at == NULL) return 0;
  if (handles == NULL || at < handles || at >= handles + (size_t)kMostHandles * kHandle || (at - handles) % kHandle != 0) {
    end_case("with params.split a pointer to what the tests have cannot go to the solution in a member of its class");
  }
  return (uint32_t)((at - handles) / kHandle);
}

static void *AddressOf(uint32_t number) {
  if (number == 0) return NULL;
  if (number >= kMostHandles) misunderstood("a pointer to what is not there");
  if (handles == NULL) {
    handles = mmap(NULL, (size_t)kMostHandles * kHandle, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (handles == MAP_FAILED) end_case("with params.split there is no memory for the solution's pointers");
  }
  return handles + (size_t)number * kHandle;
}

const struct tally_split_side tally_split_side = {Ask, end_case, misunderstood, NumberOf, AddressOf, NULL, NULL};

void split_open(void (*ends)(const char *why)) {
  split_give_up = ends;
  connected = wire_open();
}

void split_begin(void *tests, const char *file) { (void)tests, (void)file; }
