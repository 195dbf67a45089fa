// Tries: nothing: an innocent program whose threads end as soon as they have begun, or before their parents have gone on.
// Kernel: a new thread, its maker's event and its own end are seen in any order.
// Stopped by: a task that comes before its parent's event waits for it; a thread lives and dies with its process.
// Build: threads
// Run: processes=16 -- 300 => OK
#include <pthread.h>
#include <stdlib.h>

static void* nothing(void* unused) { return unused; }
static void* makes(void* n) {
  for (long i = (long)n; i > 0; --i) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, nothing, NULL) != 0) exit(2);
    pthread_join(thread, NULL);
  }
  return NULL;
}

int main(int argc, char** argv) {
  pthread_t makers[4];
  for (int i = 0; i < 4; ++i) pthread_create(&makers[i], NULL, makes, (void*)(argc > 1 ? atol(argv[1]) : 10));
  for (int i = 0; i < 4; ++i) pthread_join(makers[i], NULL);
  return 0;
}
