// Maps stdin (when it is a file), an anonymous block, changes protections, grows by mremap, gives back.
// MAP_PRIVATE of a file needs read permission only; the pages are shared with the page cache until written.
// Tally: OK under 32 MiB and more; the peak includes the touched 8 MiB.
#include "program.h"

#include <sys/mman.h>
#include <sys/stat.h>

int main(void) {
  struct stat info;
  if (fstat(0, &info) == 0 && S_ISREG(info.st_mode) && info.st_size > 0) {
    const char* text = mmap(NULL, (size_t)info.st_size, PROT_READ, MAP_PRIVATE, 0, 0);
    if (text == MAP_FAILED) return 1;
    printf("first byte %d\n", text[0]);
  }
  char* block = mmap(NULL, 4 * MIB, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (block == MAP_FAILED) return 2;
  Touch(block, 4 * MIB);
  block = mremap(block, 4 * MIB, 8 * MIB, MREMAP_MAYMOVE);
  if (block == MAP_FAILED) return 3;
  Touch(block, 8 * MIB);
  if (mprotect(block, MIB, PROT_READ) != 0 || madvise(block, 8 * MIB, MADV_DONTNEED) != 0) return 4;
  if (block[0] != 0 || munmap(block, 8 * MIB) != 0) return 5;
  End();
  return 0;
}
