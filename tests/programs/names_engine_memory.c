// Makes a system call, by argv[1], about addresses at which an engine that translates keeps its code (2 GiB and below,
// code_cache.h) or its counters (from 24 TiB to 40 TiB, control_area.h): to take them away, to replace, empty or copy
// them, to make them writable, or to be told where exactly they are.
// Nothing is mapped there natively, and the calls fail or do nothing.
// Tally: OK; translated: RV ("there the translator keeps"), except for what tells nothing (fixed_noreplace).
#include "program.h"

#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#define TIB ((size_t)1 << 40)

static void* const kCode = (void*)0x70000000;
static void* const kRoom = (void*)0x180000000000;
static const size_t kRoomSize = 16 * TIB;
static unsigned char seen[4096];

static long Try(const char* how) {
  const int rw = PROT_READ | PROT_WRITE, fresh = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
  if (strcmp(how, "munmap_code") == 0) return munmap(kCode, 4096);
  if (strcmp(how, "munmap_around") == 0) return munmap((void*)(22 * TIB), 20 * TIB);
  if (strcmp(how, "mprotect_code") == 0) return mprotect(kCode, 4096, rw | PROT_EXEC);
  if (strcmp(how, "pkey_mprotect_code") == 0) return syscall(SYS_pkey_mprotect, kCode, 4096, rw, -1);
  if (strcmp(how, "mmap_code") == 0) return (long)mmap(kCode, 4096, rw, fresh | MAP_FIXED, -1, 0) == -1 ? -1 : 0;
  if (strcmp(how, "mmap_room") == 0) return (long)mmap(kRoom, kRoomSize, rw, fresh | MAP_FIXED, -1, 0) == -1 ? -1 : 0;
  if (strcmp(how, "mremap_code") == 0) return (long)mremap(kCode, 0, 64 * MIB, MREMAP_MAYMOVE) == -1 ? -1 : 0;
  if (strcmp(how, "mremap_onto") == 0) {
    void* block = mmap(NULL, 4096, rw, fresh, -1, 0);
    return (long)mremap(block, 4096, 4096, MREMAP_MAYMOVE | MREMAP_FIXED, kCode) == -1 ? -1 : 0;
  }
  if (strcmp(how, "madvise_remove") == 0) return madvise(kRoom, kRoomSize, MADV_REMOVE);
  if (strcmp(how, "madvise_free") == 0) return madvise(kRoom, kRoomSize / 2, MADV_FREE);
  if (strcmp(how, "madvise_near") == 0) return madvise((char*)kRoom + 8 * TIB, 4096, MADV_DONTNEED);
  if (strcmp(how, "madvise_below") == 0) return madvise((char*)kRoom - TIB, 2 * TIB, MADV_DONTNEED);
  if (strcmp(how, "madvise_fork") == 0) return madvise(kCode, 64 * MIB, MADV_DONTFORK);
  if (strcmp(how, "mincore") == 0) return mincore(kRoom, 4096 * sizeof seen, seen);
  if (strcmp(how, "msync") == 0) return msync(kRoom, 4096, MS_ASYNC);
  if (strcmp(how, "mlock") == 0) return mlock(kCode, 4096);
  if (strcmp(how, "munlock") == 0) return munlock(kRoom, kRoomSize);
  if (strcmp(how, "prctl_name") == 0) return prctl(PR_SET_VMA, PR_SET_VMA_ANON_NAME, kRoom, kRoomSize / 2, "x");
  if (strcmp(how, "fixed_noreplace") == 0) {
    return (long)mmap((char*)kRoom + 4096, 4096, rw, fresh | MAP_FIXED_NOREPLACE, -1, 0) == -1 ? -1 : 0;
  }
  puts("REFUSED: unknown argument");
  return 0;
}

int main(int argc, char** argv) {
  const char* how = argc > 1 ? argv[1] : "munmap_code";
  TRY(how, Try(how));
  End();
  return 0;
}
