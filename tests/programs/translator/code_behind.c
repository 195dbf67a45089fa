// Code that goes on, when it is told to, where nothing can be executed yet: behind the end of its mapping, by a jump there and by running off
// its end. Both ways are there before more code is mapped behind it.
#include "program.h"

#include <sys/mman.h>

enum { kPage = 4096 };
typedef int (*Function)(int go_on);

// test %edi, %edi; jne to `more`, or to a nop in front of it; ret
static const unsigned char kJumps[] = {0x85, 0xff, 0x75, 1, 0xc3};
static const unsigned char kRunsOff[] = {0x85, 0xff, 0x75, 1, 0xc3, 0x90};

static void Try(const char* how, const unsigned char* code, size_t size) {
  unsigned char* const page = mmap(NULL, 2 * kPage, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  unsigned char* const more = page + kPage;
  mprotect(page, kPage, PROT_READ | PROT_WRITE | PROT_EXEC);
  memcpy(more - size, code, size);
  const Function function = (Function)(const void*)(more - size);
  function(0);
  mprotect(more, kPage, PROT_READ | PROT_WRITE | PROT_EXEC);
  memcpy(more, "\xb8\x07\0\0\0\xc3", 6);  // mov $7, %eax; ret
  int sum = 0;
  for (int i = 0; i < 1000; ++i) sum += function(1);
  printf("%s: %d\n", how, sum);
}

int main(void) {
  Try("jumps", kJumps, sizeof kJumps);
  Try("runs off", kRunsOff, sizeof kRunsOff);
  End();
  return 0;
}
