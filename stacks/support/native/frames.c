// Were the tests' functions left through their own ends? A solution in assembly can return in the place of its caller, and
// the assertion behind the call is never reached. The tests are compiled with -finstrument-functions
// (tests_sources.options), so each function of theirs tells when it begins and when it ends, by an exception too.
//
// Their main has no name, but a solution that looks at its callers' addresses finds it. Executed once more, in another thread or
// inside of the case, it would have the framework forget what failed: so a case that begins twice is none.
//
// Only frames on the stack of the case are counted: threads and coroutines may be left in their middle. So may a function,
// once the tests have jumped over it (frames.options). Hidden: the solution can neither call nor replace what is here.
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdint.h>
#include <unistd.h>

#include "frames.h"

#define HIDDEN __attribute__((visibility("hidden")))

// Below its top the kernel leaves at least 128 MiB to the stack (arch/x86/mm/mmap.c, mmap_base). Who begins a case may do so
// a little deeper in it than where the case is called.
enum { kStack = 64 << 20, kRoom = 1 << 20 };

static uintptr_t top;
static long entered;
static int jumped, unwound;
static int begun, begun_elsewhere;

static int IsOfCase(void) {
  const uintptr_t frame = (uintptr_t)__builtin_frame_address(0);
  return top - frame < kStack;  // 0 - frame, before a case begins, is more
}

HIDDEN void frames_begin(void) {
  if (begun++ != 0 || gettid() != getpid()) {
    begun_elsewhere = 1;
    return;
  }
  top = (uintptr_t)__builtin_frame_address(0) + kRoom;
  entered = 0;
  jumped = 0;
  unwound = 0;
}

HIDDEN const char *frames_fault(void) {
  if (begun_elsewhere) return "something other than its framework began the test";
  return !unwound && (entered == 0 || jumped) ? NULL : "a function of the tests was left before its own end";
}

HIDDEN void frames_unwound(void) { unwound |= IsOfCase(); }

HIDDEN void __cyg_profile_func_enter(void *function, void *caller) {
  (void)function, (void)caller;
  entered += IsOfCase();
}

HIDDEN void __cyg_profile_func_exit(void *function, void *caller) {
  (void)function, (void)caller;
  entered -= IsOfCase();
}

extern _Noreturn void __real_longjmp(jmp_buf target, int value);
extern _Noreturn void __real_siglongjmp(sigjmp_buf target, int value);

HIDDEN _Noreturn void __wrap_longjmp(jmp_buf target, int value) {
  jumped = 1;
  __real_longjmp(target, value);
}

HIDDEN _Noreturn void __wrap_siglongjmp(sigjmp_buf target, int value) {
  jumped = 1;
  __real_siglongjmp(target, value);
}
