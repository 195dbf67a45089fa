// vfork, whose child borrows the parent's memory, ended by execve of this program and by _exit.
#include "program.h"

#include <sys/wait.h>

static volatile int shared;

int main(int argc, char** argv) {
  if (argc > 1) {
    printf("executed with %s\n", argv[1]);
    fflush(stdout);
    return 9;
  }
  for (int i = 0; i < 3; ++i) {
    const pid_t child = vfork();
    if (child == 0) {
      ++shared;
      if (i == 1) _exit(20);
      execl(argv[0], argv[0], "an argument", (char*)NULL);
      _exit(30);
    }
    int status = 0;
    waitpid(child, &status, 0);
    printf("%d %d\n", shared, WEXITSTATUS(status));
    fflush(stdout);
  }
  End();
  return 0;
}
