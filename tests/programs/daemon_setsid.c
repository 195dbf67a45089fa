// Becomes a daemon by the book: fork, setsid, fork, chdir, streams to /dev/null; the first process says END.
// A new session leaves the process group that a judge would kill (killpg) and has no terminal to be hung up.
// Tally: OK, at once, with a process limit of 3 or more; the daemon is dead when the result is there.
#include "program.h"

#include <fcntl.h>
#include <sys/wait.h>

int main(void) {
  const pid_t child = fork();
  if (child < 0) return 1;
  if (child == 0) {
    Report("setsid", setsid() < 0 ? -1 : 1);
    if (fork() > 0) _exit(0);
    SafetyNet();
    if (chdir("/") != 0) _exit(1);
    const int null = open("/dev/null", O_RDWR);
    for (int fd = 0; fd < 3; ++fd) dup2(null, fd);
    for (;;) pause();
  }
  waitpid(child, NULL, 0);
  End();
  return 0;
}
