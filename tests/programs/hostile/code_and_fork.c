// Tries: to make the translator fail: one thread makes code and drops it, another forks.
// Kernel: fork copies the mappings of one moment; what the parent's threads map and unmap after it the child does not have.
// Stopped by: a child takes over what is there (GuestCode::CopyRegions).
// Build: threads
// Run: processes=6 time=6 -- 30 => OK
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static void* makes_code(void* unused) {
  for (;;) {
    unsigned char* const p = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED) continue;
    p[0] = 0xc3;
    ((void (*)(void))p)();
    munmap(p, 4096);
  }
  return unused;
}

int main(int argc, char** argv) {
  pthread_t thread;
  pthread_create(&thread, NULL, makes_code, NULL);
  for (int i = argc > 1 ? atoi(argv[1]) : 10; i > 0; --i) {
    const pid_t child = fork();
    if (child == 0) _exit(0);
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) != child || status != 0) return 1;
  }
  return 0;
}
