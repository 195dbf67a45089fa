// What the solution's process prints: kept in files, told to the tests with each message, and printed by them.
#pragma once

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

// The solution's process: stdout and stderr become files. Who prints too much is ended, whatever was waiting to be said.
void printed_begin(long most);
// What came to one of them since the last time; to be freed.
char *printed_since(int fd, size_t *size);
// The tests' process.
void printed_again(int fd, const char *text, size_t size);

#ifdef __cplusplus
}
#endif
