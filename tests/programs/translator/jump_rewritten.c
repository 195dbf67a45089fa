// A jump that is rewritten again and again, in memory of its own, and leads into memory that never changes: whoever
// calls the target directly gets the target, and whoever calls the jump gets what it leads to now.
#include "program.h"

#include <sys/mman.h>

typedef int (*Function)(void);
enum { kFar = 64 << 10 };  // far enough that nothing is done for both at once

static void Returns(unsigned char* at, int value) {
  static const unsigned char code[] = {0x31, 0xc0, 0xff, 0xc0, 0x90, 0x05};  // xor %eax,%eax; inc %eax; nop; add $value
  memcpy(at, code, sizeof code);
  memcpy(at + sizeof code, &value, sizeof value);
  at[sizeof code + sizeof value] = 0xc3;
}

static void JumpsTo(unsigned char* at, const unsigned char* target) {
  const int distance = (int)(target - (at + 5));
  at[0] = 0xe9;
  memcpy(at + 1, &distance, sizeof distance);
}

static int Calls(const unsigned char* at) { return ((Function)(const void*)at)(); }

int main(void) {
  unsigned char* jump = mmap(NULL, 2 * kFar, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (jump == MAP_FAILED) return 2;
  unsigned char* const first = jump + kFar;
  unsigned char* const second = first + 64;
  Returns(first, 10);
  Returns(second, 20);
  for (int i = 0; i < 4; ++i) {
    JumpsTo(jump, first);
    printf("%d", Calls(jump));
    JumpsTo(jump, second);  // while the first has a translation
    printf(" %d", Calls(first));
    printf(" %d", Calls(jump));
    JumpsTo(jump, first);
    printf(" %d %d %d\n", Calls(second), Calls(jump), Calls(first));
  }
  End();
  return 0;
}
