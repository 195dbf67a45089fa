// Asks for a protection key, as V8 does before it uses one, and changes rights without a key and with one that nobody has.
// Kernel: pkey_alloc gives one where the processor has protection keys, and fails elsewhere (pkeys(7): ENOSPC).
// Tally: OK; counted by translator or step no key is to be had, for the virtual processor has none.
#include "program.h"

#include <sys/mman.h>
#include <sys/syscall.h>

int main(void) {
  void* const page = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  const long key = syscall(SYS_pkey_alloc, 0, 0);
  Report("pkey_alloc", key);
  Report("pkey_mprotect without a key", syscall(SYS_pkey_mprotect, page, 4096, PROT_READ | PROT_WRITE, -1));
  *(volatile char*)page = 1;
  if (key < 0) Report("pkey_mprotect with a key", syscall(SYS_pkey_mprotect, page, 4096, PROT_READ, 1));
  End();
  return 0;
}
