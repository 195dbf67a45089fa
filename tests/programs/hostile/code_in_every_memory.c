// Tries: to have code executed where no compiler puts any: on the stack, the heap, in static data, in private memory of a file,
//   in the low 2 GiB, in memory that grows down, in huge pages, in memory just moved or shrunk.
// Kernel: code is whatever may be executed, and mprotect(2) makes it so.
// Stopped by: nothing needs stopping; a translator has to find it and to see it change.
// Run: same -- => OK
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { kAll = PROT_READ | PROT_WRITE | PROT_EXEC };

static int call(uint8_t* at, int value) {
  memcpy(at, "\xb8\0\0\0\0\xc3", 6);
  memcpy(at + 1, &value, 4);
  return ((int (*)(void))(uintptr_t)at)();
}
static int twice(const char* name, uint8_t* at) {
  if (at == MAP_FAILED) return printf("%s: none\n", name);
  const int first = call(at, 11), second = call(at, 22);
  return printf("%s: %d %d\n", name, first, second);
}
static uint8_t* page_of(void* p) { return (uint8_t*)((uintptr_t)p & ~(uintptr_t)4095); }
static uint8_t* map(size_t size, int flags) { return mmap(NULL, size, kAll, MAP_PRIVATE | MAP_ANONYMOUS | flags, -1, 0); }

int main(int argc, char** argv) {
  static uint8_t data[8192] __attribute__((aligned(4096))) = {1};
  uint8_t local[64];
  (void)argc;
  mprotect(page_of(local), 4096, kAll);
  twice("stack", local);
  mprotect(page_of(data), 8192, kAll);
  twice("data", data + 4090);
  uint8_t* const end = sbrk(8192);
  mprotect(page_of(end + 4095), 4096, kAll);
  twice("heap", page_of(end + 4095));
  const int file = open(argv[0], O_RDONLY);
  twice("file", mmap(NULL, 4096, kAll, MAP_PRIVATE, file, 0));
  twice("low", map(4096, MAP_32BIT));
  twice("grows", map(4096, MAP_GROWSDOWN));
  uint8_t* const huge = map(4 << 20, 0);
  madvise(huge, 4 << 20, MADV_HUGEPAGE);
  twice("huge", huge + (2 << 20));
  uint8_t* const large = map(16384, 0);
  twice("large", large + 8192);
  twice("moved", mremap(large, 16384, 65536, MREMAP_MAYMOVE));
  twice("shrunk", mremap(map(65536, 0), 65536, 4096, 0));
  uint8_t* const left = map(8192, 0);
  mremap(left, 4096, 4096, MREMAP_MAYMOVE | MREMAP_FIXED, left + 4096);
  twice("over itself", left + 4096);
  return 0;
}
