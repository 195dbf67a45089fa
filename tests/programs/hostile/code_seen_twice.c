// Tries: to change code behind the translator's back: one mapping to execute, another of the same memory to write, made by
//   mremap, by a shared mapping, by fork.
// Kernel: mremap(2) of a size of 0 gives shared memory a second place; a shared mapping is one object wherever it lies.
// Stopped by: shared memory is not executed, and private memory has one place; what is refused says so (docs/translator.md).
// Run: only=native -- shared => OK
// Run: only=translated -- shared => RV
// Run: -- duplicate => OK RE RV
// Run: same -- moved => OK
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

static const uint8_t returns_1[] = {0xb8, 1, 0, 0, 0, 0xc3};
static const uint8_t returns_2[] = {0xb8, 2, 0, 0, 0, 0xc3};
static int call(const uint8_t* at) { return ((int (*)(void))at)(); }

int main(int argc, char** argv) {
  const char* const how = argc > 1 ? argv[1] : "shared";
  const int rights = PROT_READ | PROT_WRITE | PROT_EXEC;
  if (strcmp(how, "moved") == 0) {
    uint8_t* a = mmap(0, 4096, rights, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    memcpy(a, returns_1, sizeof returns_1);
    const int first = call(a);
    uint8_t* const b = mremap(a, 4096, 8192, MREMAP_MAYMOVE);
    memcpy(b, returns_2, sizeof returns_2);
    printf("%d %d\n", first, call(b));
    return 0;
  }
  uint8_t* const a = mmap(0, 4096, rights, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  memcpy(a, returns_1, sizeof returns_1);
  uint8_t* const b = mremap(a, 0, 4096, MREMAP_MAYMOVE);
  if (b == MAP_FAILED) return 1;
  const int first = strcmp(how, "duplicate") == 0 ? call(b) : call(a);
  memcpy(b, returns_2, sizeof returns_2);
  printf("%d %d\n", first, call(a));
  return first == 1 && call(a) == 2 ? 0 : 1;
}
