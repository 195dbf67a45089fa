// Tries: to fill the process table with dead children that it never waits for.
// Kernel: a zombie keeps its id, its task_struct and its place in the table until its parent waits (wait(2)); it is no
//   thread and uses no time, so who counts the living sees one child at a time.
// Stopped by: a process counts against the limit until its parent has waited for it (tracing/tasks.h).
// Run: processes=4 -- 3 0 => OK
// Run: processes=4 -- 200 0 => RV
// Run: processes=4 -- 200 1 => OK
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char** argv) {
  const int children = argc > 1 ? atoi(argv[1]) : 3;
  const int waits = argc > 2 ? atoi(argv[2]) : 0;
  for (int i = 0; i < children; ++i) {
    const pid_t child = fork();
    if (child == 0) _exit(0);
    if (child < 0) return 1;
    siginfo_t info;
    waitid(P_PID, (id_t)child, &info, waits ? WEXITED : WEXITED | WNOWAIT);
  }
  return 0;
}
