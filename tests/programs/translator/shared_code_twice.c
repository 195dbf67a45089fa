// Code in shared memory that is mapped a second time after it was executed, and changed there.
#include "program.h"
#include "returns.h"

#include <sys/mman.h>

int main(void) {
  unsigned char* code = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  Returns(code, 1);
  mprotect(code, 4096, PROT_READ | PROT_EXEC);
  printf("%d\n", ((Function)(void*)code)());
  unsigned char* view = mremap(code, 0, 4096, MREMAP_MAYMOVE);
  mprotect(view, 4096, PROT_READ | PROT_WRITE);
  Returns(view, 2);
  printf("%d\n", ((Function)(void*)code)());
  End();
  return 0;
}
