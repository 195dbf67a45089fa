// Tries: to signal the judge by its own death: a process asks for SIGKILL, SIGSTOP or SIGTRAP when its parent dies, and makes
//   the parent die; the leader of the program does so, too.
// Kernel: PR_SET_PDEATHSIG is about the thread that made the process, and passes no check of rights.
// Stopped by: it signals the caller alone; processes that are left end with the run.
// Build: threads
// Run: processes=4 time=0.5 -- 9 => OK
// Run: processes=4 time=0.5 -- 19 => OK
// Run: processes=4 time=0.5 -- 5 => OK
// Run: processes=4 time=0.5 -- 64 => OK
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char** argv) {
  const int number = argc > 1 ? atoi(argv[1]) : SIGKILL;
  prctl(PR_SET_PDEATHSIG, number);
  const pid_t child = fork();
  if (child == 0) {
    if (fork() == 0) {
      prctl(PR_SET_PDEATHSIG, number);
      signal(number, SIG_IGN);
      for (int i = 0; i < 1000; ++i) usleep(100);
      for (;;) pause();
    }
    usleep(2000);
    _exit(0);
  }
  waitpid(child, NULL, 0);
  usleep(3000);
  return 0;
}
