// A child of several threads that take a lock from each other is stopped and continued three times, and its parent waits for each.
// Tally: OK with 6 processes.
#include "program.h"

#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static volatile long sum;

static void* Add(void* nothing) {
  for (;;) {
    pthread_mutex_lock(&lock);
    ++sum;
    pthread_mutex_unlock(&lock);
  }
  return nothing;
}

int main(void) {
  const pid_t child = fork();
  if (child == 0) {
    pthread_t thread;
    for (int i = 0; i < 3; ++i) pthread_create(&thread, NULL, Add, NULL);
    for (;;) pause();
  }
  int stopped = 0, continued = 0, status = 0;
  for (int i = 0; i < 3; ++i) {
    usleep(5000);
    kill(child, SIGSTOP);
    stopped += waitpid(child, &status, WUNTRACED) == child && WIFSTOPPED(status);
    usleep(5000);
    kill(child, SIGCONT);
    continued += waitpid(child, &status, WCONTINUED) == child && WIFCONTINUED(status);
  }
  kill(child, SIGKILL);
  waitpid(child, &status, 0);
  printf("stopped %d times, continued %d times, killed by %d\n", stopped, continued, WTERMSIG(status));
  End();
  return 0;
}
