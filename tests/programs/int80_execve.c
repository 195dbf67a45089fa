// Makes the i386 system call 11 (execve of /bin/sh) by int $0x80 from 64-bit code.
// Number 11 is munmap to a filter that forgets to look at the architecture: a harmless call. The arguments
// are 32-bit pointers; the program is static and not position-independent, so its data lies below 4 GiB.
// Tally: RV, the call named as i386's.
#include "program.h"

#include <stdint.h>

static const char shell[] = "/bin/sh", option[] = "-c", command[] = "echo int80 execve: allowed; echo END";
static uint32_t arguments[4], environment[1];

int main(void) {
  int result = 11;
  arguments[0] = (uint32_t)(uintptr_t)shell;
  arguments[1] = (uint32_t)(uintptr_t)option;
  arguments[2] = (uint32_t)(uintptr_t)command;
  puts("try int80 execve");
  fflush(stdout);
  __asm__ volatile("int $0x80"
                   : "+a"(result)
                   : "b"((uint32_t)(uintptr_t)shell), "c"((uint32_t)(uintptr_t)arguments),
                     "d"((uint32_t)(uintptr_t)environment)
                   : "memory");
  printf("int80 execve: refused (%d)\n", result);
  End();
  return 0;
}
