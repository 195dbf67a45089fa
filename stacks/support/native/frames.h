// Around a case: the framework's file says when it begins, and asks before it passes. frames.c says what for.
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

// Once for a process, in its first thread: who is called a second time, or elsewhere, was called by a solution.
void frames_begin(void);
// A function of the tests is left by an unwinding that is no exception (_Unwind_ForcedUnwind): nobody catches it, so the case
// cannot go on.
void frames_unwound(void);
// NULL: all functions of the tests that began since then have ended, and nothing of the tests began twice. Else a sentence.
const char *frames_fault(void);

#ifdef __cplusplus
}
#endif
