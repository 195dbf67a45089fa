// Waits until a moment in every way that libc knows, in a thread of its own or (argument "alone") as the only one, and
// looks whether that moment has come.
// Tally: OK; translated, "alone" takes no real time.
#include "program.h"

#include <pthread.h>
#include <semaphore.h>
#include <time.h>

#define WAIT 20000000L  // ns

static struct timespec In(clockid_t clock, long nanoseconds) {
  struct timespec t;
  clock_gettime(clock, &t);
  t.tv_nsec += nanoseconds;
  if (t.tv_nsec >= 1000000000L) t.tv_nsec -= 1000000000L, ++t.tv_sec;
  return t;
}

static void Come(const char* what, clockid_t clock, struct timespec until) {
  struct timespec now;
  clock_gettime(clock, &now);
  const int has_come = now.tv_sec > until.tv_sec || (now.tv_sec == until.tv_sec && now.tv_nsec >= until.tv_nsec);
  printf("%s: %s\n", what, has_come ? "has come" : "is still to come");
}

static void* Wait(void* argument) {
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
  sem_t semaphore;
  sem_init(&semaphore, 0, 0);
  pthread_mutex_lock(&mutex);
  struct timespec until = In(CLOCK_REALTIME, WAIT);
  while (pthread_cond_timedwait(&condition, &mutex, &until) == 0) {}
  Come("condition by date", CLOCK_REALTIME, until);
  until = In(CLOCK_MONOTONIC, WAIT);
  while (pthread_cond_clockwait(&condition, &mutex, CLOCK_MONOTONIC, &until) == 0) {}
  Come("condition by time since start", CLOCK_MONOTONIC, until);
  until = In(CLOCK_REALTIME, WAIT);
  while (sem_timedwait(&semaphore, &until) == 0) {}
  Come("semaphore", CLOCK_REALTIME, until);
  until = In(CLOCK_MONOTONIC, WAIT);
  clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL);
  Come("sleep until", CLOCK_MONOTONIC, until);
  until = In(CLOCK_MONOTONIC, WAIT);
  const struct timespec duration = {0, WAIT};
  nanosleep(&duration, NULL);
  Come("sleep for", CLOCK_MONOTONIC, until);
  return argument;
}

int main(int argc, char** argv) {
  if (argc > 1 && strcmp(argv[1], "alone") == 0) {
    Wait(NULL);
  } else {
    pthread_t thread;
    pthread_create(&thread, NULL, Wait, NULL);
    pthread_join(thread, NULL);
  }
  End();
  return 0;
}
