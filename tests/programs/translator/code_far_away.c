// Code in memory that is mapped far from the program and its libraries: below 4 GiB, at 64 GiB, at 1 TiB and two GiB
// from there. It is called from here, calls back, and reads data relative to itself.
#include "program.h"

#include <sys/mman.h>

static long Twice(long x) { return 2 * x; }

// push %rbx; mov %rdi,%rax; mov $9,%edi; call *%rax; add 4(%rip),%rax; pop %rbx; ret; nop; nop; .quad value
static const unsigned char kCode[] = {0x53, 0x48, 0x89, 0xf8, 0xbf, 9, 0,    0,    0, 0xff, 0xd0, 0x48, 0x03, 0x05,
                                      4,    0,    0,    0,    0x5b, 0xc3, 0x90, 0x90};

static void TryAt(unsigned long address, long value) {
  unsigned char* at = mmap((void*)address, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
  if (at == MAP_FAILED) {
    printf("%#lx is taken\n", address);
    return;
  }
  memcpy(at, kCode, sizeof kCode);
  memcpy(at + sizeof kCode, &value, sizeof value);
  if (mprotect(at, 8192, PROT_READ | PROT_EXEC) != 0) printf("mprotect failed\n");
  printf("%#lx: %ld\n", address, ((long (*)(long (*)(long)))(void*)at)(Twice));
}

int main(void) {
  TryAt(0x41000000, 1);
  TryAt(0x1000000000, 100);
  TryAt(0x10000000000, 10000);
  TryAt(0x10080000000, 20000);
  TryAt(0x41800000, 30000);
  End();
  return 0;
}
