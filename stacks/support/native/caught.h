// How exceptions leave the tests' functions and where they end; the tests' library is linked with --wrap for what tells
// (caught.options). For the frameworks' files in C++; each has its own.
//
// Exceptions that a framework takes for its own and says nothing about: it threw them itself, when an assertion had failed.
// A solution can throw one of that name, for C++ knows types by their names. So they are counted as they are caught, by the
// tests or the framework: a case that caught one without a failure has not passed.
//
// A solution can also have its callers' functions unwound, which executes their destructors, and stop the unwinding where it
// likes. It shows by the stop function, which the unwinder keeps in private_1 and an exception has not.
#pragma once

#include <cxxabi.h>
#include <unwind.h>

#include <atomic>
#include <typeinfo>

#include "frames.h"

#define CAUGHT_FAULT "something other than its framework threw an exception of the framework's type"

// The framework's type; its file says which.
static const std::type_info& caught_type();

static std::atomic<int> caught_count{0};

extern "C" void* __real___cxa_begin_catch(void* thrown) noexcept;
extern "C" __attribute__((visibility("hidden"))) void* __wrap___cxa_begin_catch(void* thrown) noexcept {
  void* object = __real___cxa_begin_catch(thrown);
  const std::type_info* type = abi::__cxa_current_exception_type();
  void* at = object;
  if (type != nullptr && caught_type().__do_catch(type, &at, 1)) ++caught_count;
  return object;
}

extern "C" [[noreturn]] void __real__Unwind_Resume(_Unwind_Exception* unwinding);
extern "C" [[noreturn]] __attribute__((visibility("hidden"))) void __wrap__Unwind_Resume(_Unwind_Exception* unwinding) {
  if (unwinding->private_1 != 0) frames_unwound();
  __real__Unwind_Resume(unwinding);
}
