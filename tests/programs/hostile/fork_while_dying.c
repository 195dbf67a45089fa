// Tries: to leave a child behind: threads fork without a pause while the program breaks a rule, exits or passes its limit,
//   so that a child is made in the moment its maker is killed and nobody is told of it.
// Kernel: a fork that is under way when SIGKILL comes makes its child before the signal is seen (kernel/fork.c), and the
//   event that tells the tracer of it is lost with the parent.
// Stopped by: once a run ends nothing is resumed, every task that comes to light is killed, and a run without a process
//   namespace is over only when no tracee is left (tracing/tasks.h).
// Build: threads
// Run: processes=40 -- exit => OK RV
// Run: processes=40 -- socket => RV
// Run: processes=8 -- storm => RV
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

static void* forks(void* unused) {
  for (;;) {
    const pid_t child = fork();
    if (child == 0) {
      if (unused != NULL) forks(unused);
      usleep(200);
      _exit(0);
    }
    if (unused == NULL && child > 0) waitpid(child, NULL, 0);
  }
  return unused;
}

int main(int argc, char** argv) {
  const char* how = argc > 1 ? argv[1] : "exit";
  pthread_t threads[3];
  for (int i = 0; i < 3; ++i) pthread_create(&threads[i], NULL, forks, strcmp(how, "storm") == 0 ? argv : NULL);
  usleep(20000);
  if (strcmp(how, "socket") == 0) socket(AF_INET, SOCK_STREAM, 0);
  if (strcmp(how, "storm") == 0) pause();
  _exit(0);
}
