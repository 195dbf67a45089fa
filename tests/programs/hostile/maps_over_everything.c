// Tries: to map a page of its own over whatever the judge has in its address space: by MAP_FIXED at each 32 GiB, each 64 MiB of the low
//   4 GiB, at 0, at the kernel's, on top of its own vDSO and stack.
// Kernel: MAP_FIXED replaces whatever lies there, without a word.
// Stopped by: a call that names the judge's addresses is a rule violation in translation; natively there is nothing of it there.
// Run: only=native -- gib => OK
// Run: only=translated -- gib => OK RV
// Run: only=native -- low => OK RE
// Run: only=translated -- low => OK RE RV
// Run: same -- zero => OK
// Run: same -- kernel => OK
// Run: -- noreplace => OK RV
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

static int is(const char* a, const char* b) { return strcmp(a, b) == 0; }

static int map(uint64_t at, int flags) {
  void* const p = mmap((void*)(uintptr_t)at, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | flags, -1, 0);
  if (p == MAP_FAILED) return 0;
  *(volatile char*)p = 1;
  munmap(p, 4096);
  return 1;
}

int main(int argc, char** argv) {
  const char* const how = argc > 1 ? argv[1] : "gib";
  int mapped = 0;
  if (is(how, "gib")) {
    for (uint64_t at = 1ULL << 32; at < 1ULL << 46; at += 1ULL << 35) mapped += map(at, MAP_FIXED);
  }
  if (is(how, "low")) {
    for (uint64_t at = 64 << 20; at < 1ULL << 32; at += 64 << 20) mapped += map(at, MAP_FIXED);
  }
  if (is(how, "noreplace")) {
    for (uint64_t at = 1ULL << 32; at < 1ULL << 47; at += 1ULL << 35) mapped += map(at, MAP_FIXED_NOREPLACE);
  }
  if (is(how, "zero")) mapped = map(0, MAP_FIXED) + map(4096, MAP_FIXED);
  if (is(how, "kernel")) mapped = map(1ULL << 47, MAP_FIXED) + map(0xffffffff81000000, MAP_FIXED) + map(0xfffffffffffff000, MAP_FIXED);
  if (is(how, "zero") || is(how, "kernel")) printf("%d\n", mapped);
  return 0;
}
