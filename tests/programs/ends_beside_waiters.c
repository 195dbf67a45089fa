// Starts threads that wait for each other without end, and ends the process while they do: by its first thread, which the kernel tells
// of before it tells of the others.
// Tally: OK with 30 processes; a program that ends is not one whose threads all wait.
#include "program.h"

#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;
static int waiting;

static void* Wait(void* argument) {
  (void)argument;
  pthread_mutex_lock(&lock);
  ++waiting;
  for (;;) pthread_cond_wait(&never, &lock);
  return NULL;
}

int main(int argc, char** argv) {
  const int threads = (int)Number(argc, argv, 1, 24);
  SafetyNet();
  for (int i = 0; i < threads; ++i) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, Wait, NULL) != 0) return 1;
  }
  for (int all = 0; !all;) {
    pthread_mutex_lock(&lock);
    all = waiting == threads;
    pthread_mutex_unlock(&lock);
  }
  End();
  return 0;
}
