// Tries: memory that it never touches itself: the kernel fills pages for it, by MAP_POPULATE, MADV_POPULATE_WRITE, MADV_WILLNEED,
//   MAP_LOCKED, mlock, a long read, a page for each 2 MiB of zeros.
// Kernel: a page that is there counts, also one that the kernel made ahead; page tables count as well, and are no pages of the process.
// Stopped by: the same figures as for memory that is touched; RLIMIT_MEMLOCK is 64 KiB.
// Run: memory=32M -- populate => MLE
// Run: memory=32M -- madvise => MLE
// Run: memory=32M -- read => MLE
// Run: memory=32M -- locked => OK MLE
// Run: memory=32M -- mlock => OK MLE
// Run: memory=32M -- tables => MLE
// Run: memory=32M -- nothing => OK
#define _GNU_SOURCE
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static int is(const char* a, const char* b) { return strcmp(a, b) == 0; }
static char* map(size_t size, int flags) {
  char* const p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | flags, -1, 0);
  return p == MAP_FAILED ? NULL : p;
}

int main(int argc, char** argv) {
  const char* const how = argc > 1 ? argv[1] : "populate";
  const size_t size = 48 << 20;
  if (is(how, "populate")) return map(size, MAP_POPULATE) == NULL;
  if (is(how, "locked")) return map(size, MAP_LOCKED), map(60 << 10, MAP_LOCKED), 0;
  if (is(how, "nothing")) return map(1 << 20, MAP_NORESERVE) == NULL;
  if (is(how, "tables")) {
    volatile char sum = 0;
    for (int i = 0; i < 24; ++i) {  // GiB, each 2 MiB of zeros a page table of 4 KiB
      char* const p = map((size_t)1 << 30, MAP_NORESERVE);
      if (p == NULL) return 1;
      madvise(p, (size_t)1 << 30, MADV_NOHUGEPAGE);
      for (size_t j = 0; j < (size_t)1 << 30; j += 2 << 20) sum += p[j];
    }
    return 1;
  }
  char* const p = map(size, 0);
  if (p == NULL) return 1;
  if (is(how, "madvise") && madvise(p, size, 23 /* MADV_POPULATE_WRITE */) != 0) memset(p, 1, size);
  if (is(how, "read")) return read(open("/dev/zero", O_RDONLY), p, size) != (ssize_t)size;
  if (is(how, "mlock")) mlock(p, size);
  return 0;
}
