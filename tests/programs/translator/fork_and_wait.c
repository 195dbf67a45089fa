// Children by fork that return values, die of signals, fork again and change code that they share with their parent
// until they do.
#include "program.h"

#include <sys/mman.h>
#include <sys/wait.h>

int main(void) {
  unsigned char* code = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  static const unsigned char function[] = {0xb8, 5, 0, 0, 0, 0xc3};
  memcpy(code, function, sizeof function);
  int (*run)(void) = (int (*)(void))(void*)code;
  int sum = run();
  for (int i = 0; i < 4; ++i) {
    const pid_t child = fork();
    if (child == 0) {
      code[1] = (unsigned char)(i + 40);
      if (i == 1) abort();
      if (i == 2) {
        const pid_t grandchild = fork();
        if (grandchild == 0) _exit(run() + 1);
        int status = 0;
        waitpid(grandchild, &status, 0);
        _exit(WEXITSTATUS(status) + 1);
      }
      _exit(run());
    }
    int status = 0;
    waitpid(child, &status, 0);
    printf("%d: %s %d\n", i, WIFEXITED(status) ? "exited" : "signal",
           WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status));
    fflush(stdout);
    sum += run();
  }
  printf("%d\n", sum);
  End();
  return 0;
}
