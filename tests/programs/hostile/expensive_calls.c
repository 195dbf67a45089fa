// Tries: to have its computing taken for the price of the judge's stops: while one thread is stopped at a system call, another
//   puts a jump to a computation in the call's place, which ends with the call.
// Kernel: a task that is sent back to its call executes what stands there by then, and that is CPU time of its own.
// Stopped by: of programs with several tasks little more is left out than a stop costs (run/watch.cc, StopsSoFar).
// Build: threads
// Run: processes=2 time=0.3 syscalls=trace only=native -- => TLE
#include <pthread.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

static volatile uint16_t* call;
static volatile uint32_t calls;

static void* Change(void* unused) {
  uint32_t seen = calls;
  for (;;) {
    while (calls == seen) {
    }
    seen = calls;
    *call = 0x10eb;  // jmp over 16 bytes, to the computation
    for (volatile int i = 0; i < 400; ++i) {
    }
    *call = 0x050f;  // syscall
  }
  return unused;
}

int main(void) {
  uint8_t* const at = mmap(0, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  // incl (%rdi); mov $39, %eax; syscall; ret
  static const uint8_t calling[] = {0xff, 0x07, 0xb8, 39, 0, 0, 0, 0x90, 0x0f, 0x05, 0xc3};
  // mov $3000000, %ecx; 1: dec %ecx; jnz 1b; mov $39, %eax; syscall; ret
  static const uint8_t computing[] = {0xb9, 0xc0, 0xc6, 0x2d, 0, 0xff, 0xc9, 0x75, 0xfc, 0xb8, 39, 0, 0, 0, 0x0f, 0x05, 0xc3};
  memcpy(at, calling, sizeof calling);
  memcpy(at + 26, computing, sizeof computing);
  call = (volatile uint16_t*)(at + 8);
  pthread_t other;
  pthread_create(&other, 0, Change, 0);
  for (;;) ((int (*)(volatile uint32_t*))at)(&calls);
}
