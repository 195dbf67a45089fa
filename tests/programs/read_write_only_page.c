// Reads a page mapped for writing only, which works, then writes to a page mapped for reading only. x86 page
// tables have no "write but not read": PROT_WRITE is readable all the same. A write to a read-only page is
// SIGSEGV with code SEGV_ACCERR (there is a mapping, but not for that).
// Tally: RE (signal 11), after the line "read 0".
#include "program.h"

#include <sys/mman.h>

int main(void) {
  volatile char* write_only = mmap(NULL, 4096, PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  volatile char* read_only = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (write_only == MAP_FAILED || read_only == MAP_FAILED) return 1;
  printf("read %d\n", write_only[0]);
  fflush(stdout);
  read_only[0] = 1;
  End();
  return 0;
}
