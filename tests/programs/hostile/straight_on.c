// Tries: to keep the supervisor from looking at the limits while it looks for the end of a turn: there is no jump, call or return for 48 MiB.
// Kernel: code may be as long as memory is.
// Stopped by: the program itself goes to the end of its turn, in translations that look for it, and may be halted there as anywhere.
// Run: time=0.5 memory=200M -- => TLE RV
// Build: threads
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int main(void) {
  const size_t size = (size_t)48 << 20;
  alarm(60);
  unsigned char* const code = mmap(NULL, size, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (code == MAP_FAILED) return 1;
  memset(code, 0x90, size);
  code[size - 1] = 0xc3;
  for (;;) ((void (*)(void))code)();
}
