// A thread that gives itself the name argv[1] (default "worker") by prctl, and one that keeps its program's.
// Tally: OK with 3 processes; a timeline calls the one by its name.
#include "program.h"

#include <pthread.h>
#include <sys/prctl.h>

static void* Named(void* name) {
  prctl(PR_SET_NAME, name, 0, 0, 0);
  return NULL;
}

static void* Unnamed(void* unused) { return unused; }

int main(int argc, char** argv) {
  pthread_t threads[2];
  if (pthread_create(&threads[0], NULL, &Named, argc > 1 ? argv[1] : "worker") != 0) return 1;
  pthread_join(threads[0], NULL);
  if (pthread_create(&threads[1], NULL, &Unnamed, NULL) != 0) return 1;
  pthread_join(threads[1], NULL);
  End();
  return 0;
}
