// Four threads (argv[1] of them) add to one number, 2000 times each, without a lock, by reading, adding and writing; then each
// waits in turn for the others by a lock and a condition, a hundred times. Prints what came of the first and the second.
// Tally: OK with 5 processes; by turns one outcome for each seed of the schedule, and different ones for different seeds.
#include "program.h"

#include <pthread.h>

static volatile long sum;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t moved = PTHREAD_COND_INITIALIZER;
static long turn, threads;

static void* Race(void* argument) {
  const long number = (long)argument;
  for (int i = 0; i < 2000; ++i) {
    const long before = sum;
    sum = before + 1;
  }
  for (int i = 0; i < 100; ++i) {
    pthread_mutex_lock(&lock);
    while (turn % threads != number) pthread_cond_wait(&moved, &lock);
    ++turn;
    pthread_cond_broadcast(&moved);
    pthread_mutex_unlock(&lock);
  }
  return NULL;
}

int main(int argc, char** argv) {
  SafetyNet();
  threads = (long)Number(argc, argv, 1, 4);
  pthread_t thread[16];
  for (long i = 0; i < threads && i < 16; ++i) pthread_create(&thread[i], NULL, Race, (void*)i);
  for (long i = 0; i < threads && i < 16; ++i) pthread_join(thread[i], NULL);
  printf("%ld %ld\n", sum, turn);
  End();
  return 0;
}
