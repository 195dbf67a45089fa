// Tries: to hang the judge where it measures what its stops cost: one thread makes system calls, another changes the call
//   instruction into a jump to itself and back all the time.
// Kernel: a task that is sent back to its call executes what stands there by then.
// Stopped by: a task that does not come back is one that runs (tracing/stop_cost.h); the limits hold for it.
// Build: threads
// Run: processes=3 time=0.4 syscalls=trace only=native -- => TLE
#include <pthread.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static volatile uint16_t* call;

static void* Change(void* unused) {
  for (;;) {
    *call = 0xfeeb;  // jmp to itself
    for (volatile int i = 0; i < 300; ++i) {
    }
    *call = 0x050f;  // syscall
    for (volatile int i = 0; i < 3000; ++i) {
    }
  }
  return unused;
}

int main(void) {
  // mov $39, %eax; syscall; ret
  static const uint8_t code[] = {0xb8, 39, 0, 0, 0, 0x90, 0x0f, 0x05, 0xc3};
  uint8_t* const at = mmap(0, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  memcpy(at, code, sizeof code);
  call = (volatile uint16_t*)(at + 6);
  pthread_t other;
  pthread_create(&other, 0, Change, 0);
  for (;;) ((int (*)(void))at)();
}
