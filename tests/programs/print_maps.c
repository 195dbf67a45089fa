// Prints its own /proc/self/maps, where the sandbox has a /proc; with an argument, its second thread does.
// Tally: OK; translated, a room of 16 TiB that nobody may touch and in it one page: the counters.
#include "program.h"

#include <pthread.h>

static void* Print(void* argument) {
  FILE* maps = fopen("/proc/self/maps", "r");
  if (maps == NULL) exit(3);
  for (int c; (c = getc(maps)) != EOF;) putchar(c);
  return argument;
}

int main(int argc, char** argv) {
  (void)argv;
  pthread_t thread;
  if (argc == 1) {
    Print(NULL);
  } else if (pthread_create(&thread, NULL, Print, NULL) != 0 || pthread_join(thread, NULL) != 0) {
    return 3;
  }
  End();
  return 0;
}
