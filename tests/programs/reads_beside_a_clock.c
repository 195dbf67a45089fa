// One thread reads what is on stdin, or with "poll" waits for it until 1.5 s are over; another wakes up each 10 ms as long as the first waits,
// as run times of languages do. Prints what was read.
// Tally: OK with 3 processes, also where the input comes late.
#include "program.h"

#include <poll.h>
#include <pthread.h>

static volatile int done;

static void* WakesUp(void* nothing) {
  while (!done) usleep(10000);
  return nothing;
}

int main(int argc, char** argv) {
  char text[100] = "";
  pthread_t clock;
  pthread_create(&clock, NULL, WakesUp, NULL);
  if (argc > 1 && strcmp(argv[1], "poll") == 0) {
    struct pollfd input = {.fd = 0, .events = POLLIN};
    printf("%d ready\n", poll(&input, 1, 1500));
  }
  const ssize_t size = read(0, text, sizeof text - 1);
  done = 1;
  pthread_join(clock, NULL);
  printf("%zd bytes: %s", size, text);
  End();
  return 0;
}
