// Code in shared memory that a second process may write: natively the first one executes what that writes.
#include "program.h"
#include "returns.h"

#include <sys/mman.h>
#include <sys/wait.h>

int main(void) {
  unsigned char* code = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  Returns(code, 1);
  printf("%d\n", ((Function)(void*)code)());
  fflush(stdout);
  if (fork() == 0) {
    Returns(code, 2);
    _exit(0);
  }
  wait(NULL);
  printf("%d\n", ((Function)(void*)code)());
  End();
  return 0;
}
