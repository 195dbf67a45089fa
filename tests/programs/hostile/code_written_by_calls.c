// Tries: to have stale code executed: the kernel writes code for the program, by each kind of call that stores something at an
//   address it is given: read, readv, pread, getrandom, getcwd, uname, pipe, times, a signal's frame.
// Kernel: copy_to_user writes wherever the program may write, and no fault handler of the program's hears of it.
// Stopped by: code that has been translated is not writable; a call that would write there is let in and the code forgotten.
// Run: same -- => OK
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

static uint8_t* code;
static int fds[2];
static int call(void) { return ((int (*)(void))(uintptr_t)code)(); }
static void put(uint8_t value) {
  const uint8_t bytes[6] = {0xb8, value, 0, 0, 0, 0xc3};
  (void)!write(fds[1], bytes, 6);
}

int main(void) {
  if (pipe(fds) != 0) return 1;
  code = mmap(NULL, 8192, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  memcpy(code, "\xb8\x01\0\0\0\xc3", 6);
  int sum = 0;
  for (int round = 0; round < 20; ++round) {
    const uint8_t value = (uint8_t)(round * 5);
    printf("%d", call());
    put(value + 1);
    printf(" %zd", read(fds[0], code, 6));
    printf(" %d", call());
    put(value + 2);
    struct iovec parts[2] = {{code, 2}, {code + 2, 4}};
    printf(" %zd", readv(fds[0], parts, 2));
    printf(" %d", call());
    int* const number = (int*)(code + 1);
    *number = 0;
    sum += call();
    struct stat status;
    fstat(fds[0], &status);
    printf(" %d\n", stat("/nowhere", (struct stat*)(code + 64)) + clock_gettime(CLOCK_REALTIME, (struct timespec*)(code + 256)) + call());
  }
  // Two ends of a pipe where an instruction has its constant.
  if (pipe((int*)(code + 1)) != 0) return 2;
  uint8_t rest = code[5];
  code[5] = 0xc3;
  printf("%d %d %d\n", call() == fds[1] + 1, rest == (uint8_t)(fds[1] + 2), sum);
  return 0;
}
