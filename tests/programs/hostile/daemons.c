// Tries: to leave a process behind: a daemon by two forks in a session of its own, which sleeps, burns, is stopped, ignores everything,
//   holds the output open, is in another process group, or makes another one at its parent's end.
// Kernel: an orphan is its subreaper's child, and signals to the group or the session that it left do not reach it.
// Stopped by: the run's process namespace ends with its init; without one each task that was seen is killed (tracing/tasks.h).
// Run: processes=6 -- sleeps => OK
// Run: processes=6 -- burns => OK
// Run: processes=6 -- stopped => OK
// Run: processes=6 -- ignores => OK
// Run: processes=6 -- writes => OK OLE
// Run: processes=6 -- group => OK
// Run: processes=6 -- again => OK RV
// Run: processes=6 -- vfork => OK
#define _GNU_SOURCE
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

static int is(const char* a, const char* b) { return strcmp(a, b) == 0; }

int main(int argc, char** argv) {
  const char* const how = argc > 1 ? argv[1] : "sleeps";
  int ready[2];
  if (pipe(ready) != 0) return 1;
  if (fork() == 0) {
    if (is(how, "group")) setpgid(0, 0);
    else setsid();
    if (fork() != 0) _exit(0);
    for (int i = 1; is(how, "ignores") && i < 65; ++i) signal(i, SIG_IGN);
    (void)!write(ready[1], "r", 1);
    if (is(how, "stopped")) raise(SIGSTOP);
    while (is(how, "writes")) (void)!write(1, "daemon\n", 7), usleep(1000);
    for (volatile unsigned i = 0; is(how, "burns");) ++i;
    while (is(how, "again")) {
      if (fork() != 0) _exit(0);
    }
    if (is(how, "vfork") && vfork() == 0) {
      for (;;) pause();
    }
    for (;;) pause();
  }
  char byte;
  return read(ready[0], &byte, 1) != 1;
}
