// Threads whose turns may end in front of anything: a repeated instruction over 4 MiB, a call that waits and that no list of waiting calls
// names, flags that are pushed and popped.
// Tally: OK with 4 processes.
#include "program.h"

#include <fcntl.h>
#include <pthread.h>
#include <sys/mman.h>

static char* area;
static int data[2];

static void* Fills(void* nothing) {
  for (int i = 0; i < 40; ++i) {
    void* to = area;
    size_t size = 4 * MIB;
    __asm__ volatile("rep stosb" : "+D"(to), "+c"(size) : "a"(i) : "memory");
  }
  return nothing;
}

static void* Splices(void* nothing) {
  const int nowhere = open("/dev/null", O_WRONLY);
  long moved = 0;
  for (int i = 0; i < 20; ++i) {
    long result = 275;  // splice(2), with its number in sight
    register long offset __asm__("r10") = 0;
    register long size __asm__("r8") = 1;
    register long flags __asm__("r9") = 0;
    __asm__ volatile("mov $50, %%ecx\n1: dec %%ecx\n jnz 1b\n mov $275, %%eax\n syscall"
                     : "+a"(result)
                     : "D"(data[0]), "S"(0L), "d"(nowhere), "r"(offset), "r"(size), "r"(flags)
                     : "rcx", "r11", "memory");
    moved += result;
  }
  return (void*)(moved + (nothing != NULL));
}

static void* PushesFlags(void* nothing) {
  unsigned long seen = 0;
  for (int i = 0; i < 20000; ++i) {
    unsigned long flags;
    __asm__ volatile("pushfq\n pushfq\n popfq\n popq %0" : "=r"(flags) : : "memory", "cc");
    seen |= flags;
  }
  return (void*)((seen & 0x100) + (nothing != NULL));  // the trap flag
}

int main(void) {
  area = mmap(NULL, 4 * MIB, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (pipe(data) != 0) return 2;
  void* (*const work[])(void*) = {Fills, Splices, PushesFlags};
  pthread_t threads[3];
  for (int i = 0; i < 3; ++i) pthread_create(&threads[i], NULL, work[i], NULL);
  for (int i = 0; i < 20; ++i) {
    usleep(100);
    if (write(data[1], "x", 1) != 1) return 3;
  }
  void* result[3];
  for (int i = 0; i < 3; ++i) pthread_join(threads[i], &result[i]);
  printf("spliced %ld, trap flag %ld\n", (long)result[1], (long)result[2]);
  End();
  return 0;
}
