// A child dies of SIGSEGV; the parent sees it, says so and exits 0.
// The exit status of a run is the first process's; what its children do is between them.
// Tally: OK with a process limit of 2 or more (not RE), RV ("clone") with 1.
#include "program.h"

#include <signal.h>
#include <sys/wait.h>

int main(void) {
  const pid_t child = fork();
  if (child == 0) {
    *(volatile int*)8 = 1;
    _exit(0);
  }
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) != child) return 1;
  printf("child signal %d\n", WTERMSIG(status));
  End();
  return WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV ? 0 : 2;
}
