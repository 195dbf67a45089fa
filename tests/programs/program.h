// What the test programs share: the end token, the safety net, and one line per attempted call.
// A program that Tally stops never prints END, so "silently stopped" cannot pass for "ran to its end"; the
// line "try CALL" without an answer behind it shows that it was stopped at that very call.
#pragma once

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// The last line of every path that ends normally.
static inline void End(void) {
  puts("END");
  fflush(stdout);
}

// Ends a program that was started bare, outside Tally, and would loop for ever. A fork does not inherit it.
static inline void SafetyNet(void) { alarm(60); }

// Tally's full isolation starts the program as process 2 of a namespace of its own. Only there do the
// programs that could hurt their neighbours go all the way.
static inline int InPidNamespace(void) { return getpid() <= 3; }

// argv[index] as a number, or the default.
static inline long long Number(int argc, char** argv, int index, long long otherwise) {
  return argc > index ? strtoll(argv[index], NULL, 0) : otherwise;
}

// One answer of the kernel: -1 and errno, or a value.
static inline void Report(const char* call, long result) {
  if (result == -1) {
    printf("%s: refused (%s)\n", call, strerrorname_np(errno));
  } else {
    printf("%s: allowed (%ld)\n", call, result);
  }
  fflush(stdout);
}

#define TRY(call, expression)         \
  do {                                \
    printf("try %s\n", call);         \
    fflush(stdout);                   \
    Report(call, (long)(expression)); \
  } while (0)

// Writes to every page of a block, so that the kernel must find real memory for it.
static inline void Touch(void* block, size_t size) {
  volatile char* bytes = (volatile char*)block;
  for (size_t i = 0; i < size; i += 4096) bytes[i] = 1;
}

#define MIB ((size_t)1 << 20)
