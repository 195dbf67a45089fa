// Tries: CPU time in tasks that a look may miss: the first thread sleeps, many others burn a little each, in turns, in short lives, in
//   children that are stopped in between, below a nice value.
// Kernel: a process's clock is all its threads'; one that sleeps says nothing of the others.
// Stopped by: the clocks of all tasks are read together.
// Build: threads
// Run: processes=4 time=0.2 -- thread => TLE
// Run: processes=20 time=0.2 -- many => TLE
// Run: processes=4 time=0.2 -- short => TLE
// Run: processes=4 time=0.2 -- turns => TLE
// Run: processes=4 time=0.2 -- stopped => TLE
// Run: processes=4 time=0.2 -- nice => TLE
// Run: processes=4 -- little => OK
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static const char* how;
static int is(const char* name) { return strcmp(how, name) == 0; }
static volatile int turn;
static void some(int amount) {
  for (volatile int i = 0; i < amount; ++i) {
  }
}
static void* burn(void* mine) {
  for (;;) {
    some(100000);
    if (is("little") || is("short")) return mine;
    if (is("many")) usleep(1000);
    if (is("turns")) {
      turn = !turn;
      while (turn == (mine != NULL)) some(10);
    }
  }
}

int main(int argc, char** argv) {
  how = argc > 1 ? argv[1] : "thread";
  pthread_t thread;
  if (is("nice")) setpriority(PRIO_PROCESS, 0, 19);
  if (is("stopped")) {
    const pid_t child = fork();
    if (child == 0) burn(NULL);
    for (;;) {
      usleep(3000);
      kill(child, SIGSTOP);
      usleep(500);
      kill(child, SIGCONT);
    }
  }
  for (int i = 0; i < (is("many") ? 16 : 2); ++i) pthread_create(&thread, NULL, burn, i == 0 ? NULL : (void*)&turn);
  while (is("short")) pthread_create(&thread, NULL, burn, NULL), pthread_join(thread, NULL);
  while (!is("little")) pause();
  return 0;
}
