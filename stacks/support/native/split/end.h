// How either side ends a case: the tests report an error with this sentence, the solution tells it to the tests.
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

__attribute__((noreturn)) void end_case(const char *why);
// What came is no message: the case is over.
__attribute__((noreturn)) void misunderstood(const char *what);

#ifdef __cplusplus
}
#endif
