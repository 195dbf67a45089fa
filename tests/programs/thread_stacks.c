// Starts argv[1] threads (default 16), each of which touches 8 MiB of its stack of 16 MiB and keeps it. A
// thread's stack is an ordinary mapping (MAP_STACK); RLIMIT_STACK sets only its default size. Address space
// is twice the memory that is really used.
// Tally: MLE when the memory limit is below argv[1] * 8 MiB (address space: * 16 MiB) and the process limit
// above argv[1]; RV ("clone") with a process limit of 1.
#include "program.h"

#include <pthread.h>

static pthread_barrier_t all_ready;

static void* UseStack(void* unused) {
  char block[8 << 20];
  Touch(block, sizeof block);
  pthread_barrier_wait(&all_ready);
  return unused;
}

int main(int argc, char** argv) {
  const long long threads = Number(argc, argv, 1, 16);
  pthread_t thread[1000];
  pthread_attr_t attributes;
  SafetyNet();
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, 16 << 20);
  pthread_barrier_init(&all_ready, NULL, (unsigned)threads);
  for (long long i = 0; i < threads && i < 1000; ++i) {
    const int error = pthread_create(&thread[i], &attributes, UseStack, NULL);
    if (error != 0) {
      printf("thread %lld: refused (%s)\n", i, strerrorname_np(error));
      return 1;
    }
  }
  for (long long i = 0; i < threads; ++i) pthread_join(thread[i], NULL);
  End();
  return 0;
}
