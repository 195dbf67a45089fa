// Two tasks, each of which waits for the other. argv[1]: "locks": threads that want each other's lock; "pipes": processes that read
// what the other never writes; "children": a parent that waits for the end of a child that reads what the parent never writes.
// Without SafetyNet, whose alarm would come to their help.
#include "program.h"

#include <pthread.h>
#include <sys/wait.h>

static pthread_mutex_t locks[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static pthread_barrier_t both;

static void* TakeBoth(void* argument) {
  const long first = (long)argument;
  pthread_mutex_lock(&locks[first]);
  pthread_barrier_wait(&both);
  pthread_mutex_lock(&locks[1 - first]);
  return NULL;
}

int main(int argc, char** argv) {
  const char* how = argc > 1 ? argv[1] : "locks";
  if (strcmp(how, "locks") == 0) {
    pthread_t other;
    pthread_barrier_init(&both, NULL, 2);
    if (pthread_create(&other, NULL, TakeBoth, (void*)1) != 0) return 2;
    TakeBoth((void*)0);
  }
  int to_child[2], to_parent[2];
  char byte;
  if (pipe(to_child) != 0 || pipe(to_parent) != 0) return 2;
  const pid_t child = fork();
  if (child < 0) return 2;
  if (child == 0) _exit(read(to_child[0], &byte, 1) == 1 ? 0 : 3);
  if (strcmp(how, "pipes") == 0) return read(to_parent[0], &byte, 1) == 1 ? 0 : 3;
  waitpid(child, NULL, 0);
  End();
  return 0;
}
