// Around a case: the framework's file says when it begins, and asks before it passes. frames.c says what for.
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

#define FRAMES_BROKEN "a function of the tests was left before its own end"

void frames_begin(void);
// All functions of the tests that began since then have ended.
int frames_whole(void);

#ifdef __cplusplus
}
#endif
