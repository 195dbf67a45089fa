// Tries: to use memory that is no allocation: the stack grows by calls without end, by one frame larger than any guard, on a
//   stack of another thread's size, and by the frames of signal handlers.
// Kernel: the stack grows by itself down to RLIMIT_STACK (mm/memory.c, expand_stack); where that is without limit, only memory
//   ends it.
// Stopped by: the memory limit counts the stack's pages as all others.
// Run: time=1 memory=32M -- calls => MLE RE
// Run: time=1 memory=32M -- frame => MLE RE
// Run: time=1 memory=32M -- handlers => MLE RE TLE
// Run: time=1 memory=32M -- little => OK
#include <signal.h>
#include <stdio.h>
#include <string.h>

static volatile unsigned long sum;

__attribute__((noinline)) static unsigned long down(unsigned long depth) {
  volatile char frame[4096];
  frame[0] = (char)depth;
  if (depth == 0) return 0;
  const unsigned long below = down(depth - 1);
  return below + (unsigned long)frame[0];
}

__attribute__((noinline)) static void large(void) {
  volatile char frame[200 << 20];
  for (unsigned long i = sizeof frame; i >= 4096; i -= 4096) frame[i - 1] = 1;
  sum += (unsigned long)frame[0];
}

static void again(int number) { raise(number); }

int main(int argc, char** argv) {
  const char* const how = argc > 1 ? argv[1] : "little";
  if (strcmp(how, "calls") == 0) sum += down(1UL << 40);
  if (strcmp(how, "frame") == 0) large();
  if (strcmp(how, "handlers") == 0) {
    const struct sigaction action = {.sa_handler = again, .sa_flags = SA_NODEFER};
    sigaction(SIGUSR1, &action, NULL);
    raise(SIGUSR1);
  }
  sum += down(100);
  puts("done");
  return 0;
}
