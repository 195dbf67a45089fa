// Code in shared memory without a file, as PHP's JIT has it: one mapping of it, written and executed in turns.
#include "program.h"
#include "returns.h"

#include <sys/mman.h>

int main(void) {
  unsigned char* all = mmap(NULL, 64 << 10, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  unsigned char* code = all + (16 << 10);
  for (int i = 0; i < 6; ++i) {
    mprotect(code, 16 << 10, PROT_READ | PROT_WRITE);
    Returns(code, 10 + i);
    Returns(code + 64, 20 + i);
    mprotect(code, 16 << 10, PROT_READ | PROT_EXEC);
    printf("%d %d\n", ((Function)(void*)code)(), ((Function)(void*)(code + 64))());
  }
  mprotect(code, 16 << 10, PROT_READ | PROT_WRITE | PROT_EXEC);
  for (int i = 0; i < 4; ++i) {
    Returns(code, 30 + i);
    printf("%d\n", ((Function)(void*)code)());
  }
  unsigned char* at_once = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  Returns(at_once, 40);
  printf("%d\n", ((Function)(void*)at_once)());
  End();
  return 0;
}
