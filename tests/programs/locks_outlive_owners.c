// Locks whose owner ends, or that are handed to one who has a signal to handle: who waits for them is told by the kernel, which wakes them.
// Prints a line for each.
// Tally: OK with 4 processes; by turns as natively.
#include "program.h"

#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>

static pthread_mutex_t* lock;
static volatile int stage, handled;

static void Make(int robust, int inherits, int shared) {
  pthread_mutexattr_t how;
  pthread_mutexattr_init(&how);
  if (robust) pthread_mutexattr_setrobust(&how, PTHREAD_MUTEX_ROBUST);
  if (inherits) pthread_mutexattr_setprotocol(&how, PTHREAD_PRIO_INHERIT);
  if (shared) pthread_mutexattr_setpshared(&how, PTHREAD_PROCESS_SHARED);
  pthread_mutex_init(lock, &how);
  stage = handled = 0;
}

static void* LocksAndEnds(void* nothing) {
  pthread_mutex_lock(lock);
  stage = 1;
  usleep(5000);
  return nothing;
}

static void OwnerEnds(const char* name, int inherits) {
  Make(1, inherits, 0);
  pthread_t owner;
  pthread_create(&owner, NULL, LocksAndEnds, NULL);
  while (stage == 0) usleep(100);
  printf("%s: %s\n", name, pthread_mutex_lock(lock) == EOWNERDEAD ? "its owner is dead" : "?");
  pthread_join(owner, NULL);
}

static void ProcessEnds(void) {
  Make(1, 0, 1);
  int ready[2];
  char byte = 0;
  if (pipe(ready) != 0) return;
  const pid_t owner = fork();
  if (owner == 0) {
    pthread_mutex_lock(lock);
    if (write(ready[1], &byte, 1) != 1) _exit(1);
    usleep(5000);
    _exit(0);
  }
  if (read(ready[0], &byte, 1) != 1) return;
  printf("robust, of a process: %s\n", pthread_mutex_lock(lock) == EOWNERDEAD ? "its owner is dead" : "?");
  waitpid(owner, NULL, 0);
}

static void* Waits(void* nothing) {
  stage = 1;
  struct timespec until;
  clock_gettime(CLOCK_REALTIME, &until);
  until.tv_sec += 2;
  const int result = nothing != NULL ? pthread_mutex_timedlock(lock, &until) : pthread_mutex_lock(lock);
  if (result == 0) pthread_mutex_unlock(lock);
  return (void*)(long)result;
}

static void Handle(int signal) {
  (void)signal;
  ++handled;
}

// It has the lock by then, or waits for it still.
static void WaiterIsSignalled(const char* name, int flags, int first_signal, void* timed) {
  Make(0, 1, 0);
  const struct sigaction action = {.sa_handler = Handle, .sa_flags = flags};
  sigaction(SIGUSR1, &action, NULL);
  pthread_mutex_lock(lock);
  pthread_t waiter;
  pthread_create(&waiter, NULL, Waits, timed);
  while (stage == 0) usleep(100);
  usleep(5000);
  if (first_signal) pthread_kill(waiter, SIGUSR1);
  if (first_signal) usleep(5000);
  pthread_mutex_unlock(lock);
  if (!first_signal) pthread_kill(waiter, SIGUSR1);
  void* result = NULL;
  pthread_join(waiter, &result);
  printf("%s: %ld\n", name, (long)result);
}

static void* Returns(void* nothing) {
  usleep(5000);
  return nothing;
}

static void OnSharedStack(void) {
  pthread_attr_t how;
  pthread_attr_init(&how);
  pthread_attr_setstack(&how, mmap(NULL, MIB, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0), MIB);
  pthread_t thread;
  pthread_create(&thread, &how, Returns, NULL);
  printf("a thread whose stack is shared memory: joined, %d\n", pthread_join(thread, NULL));
}

int main(void) {
  lock = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  setvbuf(stdout, NULL, _IONBF, 0);
  OwnerEnds("robust", 0);
  OwnerEnds("robust, inherits priority", 1);
  ProcessEnds();
  WaiterIsSignalled("handed over, then a signal", SA_RESTART, 0, NULL);
  WaiterIsSignalled("a signal, then handed over", 0, 1, (void*)1);
  OnSharedStack();
  End();
  return 0;
}
