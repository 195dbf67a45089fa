// Forks three children, each of which exits with its number, and waits for all of them.
// fork(2) is clone(SIGCHLD) in glibc; a child is a process of its own until it is waited for.
// Tally: OK with a process limit of 4 or more; RV ("clone") with 1; RV or a printed refusal with 2 or 3.
#include "program.h"

#include <sys/wait.h>

int main(void) {
  pid_t children[3];
  for (int i = 0; i < 3; ++i) {
    children[i] = fork();
    if (children[i] == 0) _exit(10 + i);
    if (children[i] < 0) {
      Report("fork", -1);
      return 1;
    }
  }
  for (int i = 0; i < 3; ++i) {
    int status = 0;
    if (waitpid(children[i], &status, 0) != children[i] || WEXITSTATUS(status) != 10 + i) return 2;
  }
  puts("three children");
  End();
  return 0;
}
