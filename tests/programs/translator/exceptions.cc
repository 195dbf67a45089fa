// C++ exceptions through frames with destructors, rethrown, and caught by base class: the unwinder reads return
// addresses from the stack, which must be the program's own.
#include <cstdio>
#include <stdexcept>
#include <string>

static int alive, destroyed;

struct Guard {
  Guard() { ++alive; }
  ~Guard() { --alive, ++destroyed; }
};

static __attribute__((noinline)) int Thrower(int depth) {
  Guard guard;
  if (depth == 0) throw std::runtime_error("bottom");
  return Thrower(depth - 1) + 1;
}

static __attribute__((noinline)) int Middle(int depth) {
  Guard guard;
  try {
    return Thrower(depth);
  } catch (const std::logic_error&) {
    return -1;
  } catch (const std::exception& error) {
    if (depth % 2 == 0) throw;
    throw std::string(error.what()) + " wrapped";
  }
}

int main() {
  for (int i = 0; i < 2; ++i) {
    try {
      Middle(i);
    } catch (const std::string& text) {
      std::printf("string %s\n", text.c_str());
    } catch (const std::exception& error) {
      std::printf("exception %s\n", error.what());
    }
  }
  std::printf("%d alive, %d destroyed\nEND\n", alive, destroyed);
  return 0;
}
