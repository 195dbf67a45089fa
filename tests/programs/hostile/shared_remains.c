// Tries: to hold more memory than it may where no cgroup counts it: shared memory that it fills and then unmaps but for a page of each
//   piece. Mapped again (mremap from one page to all) everything is still there. Also by /dev/zero, by children, by threads.
// Kernel: pages of a shared mapping belong to an object, which lives as long as any page of it is mapped.
// Stopped by: the memory cgroup; elsewhere a program stops where it makes such an object, whose size is noted down (shared_objects.h).
// Run: memory=64M -- plain => MLE
// Run: memory=64M -- zero => MLE
// Run: memory=64M processes=3 -- child => MLE
// Run: memory=64M -- unmapped => OK
// Run: memory=64M -- growing => OK
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { kPage = 4096, kMiB = 1 << 20, kPieces = 12, kPiece = 8 * kMiB };

static char* Map(size_t size, int zero) {
  char* const p = mmap(NULL, size, PROT_READ | PROT_WRITE, zero < 0 ? MAP_SHARED | MAP_ANONYMOUS : MAP_SHARED, zero, 0);
  if (p == MAP_FAILED) _exit(0);
  memset(p, 7, size);
  return p;
}

static long HoldAll(int zero) {
  char* kept[kPieces];
  for (int i = 0; i < kPieces; ++i) {
    kept[i] = Map(kPiece, zero);
    munmap(kept[i] + kPage, kPiece - kPage);
  }
  long held = 0;
  for (int i = 0; i < kPieces; ++i) {
    char* const p = mremap(kept[i], kPage, kPiece, MREMAP_MAYMOVE);
    if (p == MAP_FAILED) continue;
    for (size_t at = 0; at < kPiece; at += kPage) held += p[at] == 7;
    munmap(p + kPage, kPiece - kPage);
  }
  return held * kPage / kMiB;
}

int main(int argc, char** argv) {
  const char* const how = argc > 1 ? argv[1] : "plain";
  if (strcmp(how, "plain") == 0) printf("held %ld MiB\n", HoldAll(-1));
  if (strcmp(how, "zero") == 0) printf("held %ld MiB\n", HoldAll(open("/dev/zero", O_RDWR)));
  if (strcmp(how, "child") == 0) {
    if (fork() == 0) {
      printf("held %ld MiB\n", HoldAll(-1));
      fflush(stdout);
      _exit(0);
    }
    wait(NULL);
  }
  // What is unmapped whole is given back, and a mapping that is kept is as large as it is.
  if (strcmp(how, "unmapped") == 0) {
    for (int i = 0; i < kPieces; ++i) munmap(Map(kPiece, -1), kPiece);
    Map(kMiB, -1);
  }
  if (strcmp(how, "growing") == 0) {
    for (int i = 0; i < 16; ++i) Map(kMiB, -1);
  }
  return 0;
}
