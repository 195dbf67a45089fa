// Tries: to wait in the kernel, in an execve that no filter stops, while another thread has everybody stopped: a path at the
//   address where the judge keeps the one of its own start.
// Kernel: a thread's execve waits for all others to end; one that stands at a ptrace stop cannot, so who stops them one by
//   one waits for ever.
// Stopped by: in translation every execve stops the task (call_filter.h), and no wait of ours is without an end.
// Build: threads
// Run: processes=6 -- 6 => OK RV
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
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
  const int left = argc > 1 ? atoi(argv[1]) : 3;
  if (left == 0) return 0;
  pthread_t threads[3];
  for (int i = 0; i < 3; ++i) pthread_create(&threads[i], NULL, makes_code, NULL);
  char* const path = mmap((void*)0x170000000000, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
  if (path == MAP_FAILED) return 3;
  strcpy(path, argv[0]);
  char next[16];
  snprintf(next, sizeof next, "%d", left - 1);
  usleep(3000);
  execv(path, (char* const[]){argv[0], next, NULL});
  return 4;
}
