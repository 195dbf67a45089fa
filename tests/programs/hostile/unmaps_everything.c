// Tries: to pull the ground from under the judge: the whole address space unmapped, protected, emptied, locked or moved in one call,
//   with everything in it that the program has not mapped itself.
// Kernel: munmap(2) takes any range below 2^47, and does not ask who mapped what is in it.
// Stopped by: a call that names the judge's addresses is a rule violation in translation; natively there is nothing of it there.
// Run: only=native -- unmap => RE
// Run: only=translated -- unmap => RV
// Run: only=native -- upper => RE
// Run: only=translated -- upper => RV
// Run: -- protect => RE OK
// Run: only=native -- empty => RE
// Run: only=translated -- empty => RV
// Run: only=native -- lock => OK
// Run: only=translated -- lock => RV
// Run: only=native -- sync => OK
// Run: only=translated -- sync => RV
// Run: only=native -- incore => OK
// Run: only=translated -- incore => RV
// Run: only=native -- wrap => OK
// Run: only=translated -- wrap => RV
#define _GNU_SOURCE
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static int is(const char* a, const char* b) { return strcmp(a, b) == 0; }

int main(int argc, char** argv) {
  const char* const how = argc > 1 ? argv[1] : "unmap";
  void* const first = (void*)0x10000;
  const size_t all = 0x7ffffffff000 - 0x10000;
  static unsigned char pages[1 << 20];
  if (is(how, "unmap")) munmap(first, all);
  if (is(how, "upper")) munmap((void*)0x100000000, 0x7ffffffff000 - 0x100000000);
  if (is(how, "protect")) {
    for (uintptr_t at = 0x10000; at < 0x80000000; at += 4096) {
      if (mprotect((void*)at, 4096, PROT_NONE) == 0) break;
    }
  }
  if (is(how, "empty")) madvise(first, all, MADV_DONTNEED);
  if (is(how, "lock")) mlock(first, all);
  if (is(how, "sync")) msync(first, all, MS_SYNC | MS_INVALIDATE);
  if (is(how, "incore")) mincore(first, (size_t)sizeof pages << 12, pages);
  if (is(how, "wrap")) {
    munmap((void*)4096, ~(size_t)0), munmap((void*)0x7ffffffff000, 4096), munmap((void*)0xffffffffff600000, 4096);
    mprotect((void*)0x400000, ~(size_t)0 - 0x400000, PROT_NONE), madvise((void*)0xfffffffffffff000, 8192, MADV_DONTNEED);
  }
  return 0;
}
