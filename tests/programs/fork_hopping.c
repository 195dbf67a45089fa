// Moves on: forks and lets the parent exit, argv[1] times (default 2000, 30 s at most); the first process
// exits with END at once. The living process has a new pid every time: a killer that lists processes and then
// kills them is always one behind. The end of the pid namespace's init, or a cgroup's kill file, is atomic.
// Tally: OK, at once, with a process limit of 3 or more; nothing is left when the result is there.
#include "program.h"

int main(int argc, char** argv) {
  const long long hops = Number(argc, argv, 1, 2000);
  const pid_t child = fork();
  if (child < 0) return 1;
  if (child > 0) {
    End();
    return 0;
  }
  for (long long i = 0; i < hops; ++i) {
    alarm(30);
    const pid_t next = fork();
    if (next > 0) _exit(0);
    if (next < 0) usleep(1000);
  }
  _exit(0);
}
