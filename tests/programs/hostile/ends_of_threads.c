// Tries: to hide how it ended: a thread exits with 0 while the program fails, the first thread is long gone when another one
//   fails, many threads end it at once with different codes, a thread dies of a signal that another one ignores in vain.
// Kernel: exit(2) ends a thread, exit_group(2) all of them; the first one that asks decides (kernel/exit.c, do_group_exit).
// Stopped by: the verdict goes by the wait status of the program's process, which the kernel makes of that first one.
// Run: processes=10 -- thread => RE
// Run: processes=10 -- late => RE
// Run: processes=10 -- race => RE
// Run: processes=10 -- abort => RE
// Run: processes=10 -- well => OK
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static const char* how;
static int is(const char* name) { return strcmp(how, name) == 0; }
static volatile int go;

static void* act(void* argument) {
  while (!go) sched_yield();
  if (is("thread") || is("well")) syscall(SYS_exit, 0);
  if (is("late")) usleep(20000), exit(5);
  if (is("race")) syscall(SYS_exit_group, 1 + (int)(intptr_t)argument);
  if (is("abort")) __builtin_trap();
  return NULL;
}

int main(int argc, char** argv) {
  how = argc > 1 ? argv[1] : "well";
  pthread_t threads[8];
  for (intptr_t i = 0; i < 8; ++i) {
    if (pthread_create(&threads[i], NULL, act, (void*)i) != 0) return 9;
  }
  go = 1;
  if (is("late")) syscall(SYS_exit, 0);
  if (is("well")) {
    usleep(10000);
    puts("done");
    fflush(stdout);
    _exit(0);
  }
  if (is("thread")) usleep(10000), _exit(7);
  for (int i = 0; i < 8; ++i) pthread_join(threads[i], NULL);
  return 0;
}
