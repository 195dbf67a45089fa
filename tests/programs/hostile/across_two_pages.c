// Tries: to have an instruction executed that is half old and half new: it lies across two pages, and the second one is changed,
//   unmapped, remapped, made unreadable, swapped for another one by mremap.
// Kernel: the processor fetches both parts anew each time.
// Stopped by: a translation belongs to each page that it was made from, and is gone when one of them changes.
// Run: same -- write => OK
// Run: same -- unmap => RE
// Run: same -- remap => OK
// Run: same -- move => OK
// Run: same -- protect => RE
// Run: same -- zero => OK RE
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

enum { kAll = PROT_READ | PROT_WRITE | PROT_EXEC };
static int is(const char* a, const char* b) { return strcmp(a, b) == 0; }

int main(int argc, char** argv) {
  const char* const how = argc > 1 ? argv[1] : "write";
  setvbuf(stdout, NULL, _IONBF, 0);
  uint8_t* const p = mmap(NULL, 3 * 4096, kAll, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  uint8_t* const at = p + 4094;
  int (*const call)(void) = (int (*)(void))(uintptr_t)at;
  memcpy(at, "\xb8\x01\x01\0\0\xc3", 6);  // mov $0x101, %eax; ret
  for (int i = 0; i < 100; ++i) {
    if (call() != 0x101) return 1;
  }
  printf("%d\n", call());
  if (is(how, "write")) {
    for (int i = 2; i < 100; ++i) {
      p[4096] = (uint8_t)i;
      printf("%d ", call());
      p[4095] = (uint8_t)i;
      printf("%d\n", call());
    }
  }
  if (is(how, "unmap")) munmap(p + 4096, 4096);
  if (is(how, "protect")) mprotect(p + 4096, 4096, PROT_NONE);
  if (is(how, "remap")) {
    mmap(p + 4096, 4096, kAll, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
    memcpy(p + 4096, "\x02\0\0\xc3", 4);
  }
  if (is(how, "move")) {
    memcpy(p + 8192, "\x03\0\0\xc3", 4);
    mremap(p + 8192, 4096, 4096, MREMAP_MAYMOVE | MREMAP_FIXED, p + 4096);
  }
  if (is(how, "zero")) mmap(p + 4096, 4096, kAll, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0), p[4099] = 0xc3;
  printf("%d\n", call());
  return 0;
}
