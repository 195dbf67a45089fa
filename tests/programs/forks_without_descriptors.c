// Fills its table of descriptors, has code that it may write, and forks: the translator would need a descriptor then.
#define _GNU_SOURCE
#include "program.h"

#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
  void* code = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  memset(code, 0xc3, 16);  // ret
  ((void (*)(void))code)();
  while (dup(0) >= 0) {}
  const pid_t pid = fork();
  if (pid == 0) _exit(7);
  int status = 0;
  waitpid(pid, &status, 0);
  printf("%d\n", WEXITSTATUS(status));
  End();
  return 0;
}
