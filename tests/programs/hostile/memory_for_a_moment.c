// Tries: to have more memory than its limit between two looks: it fills it and lets go of it at once, by each way to let go.
// Kernel: what a process has at this moment says nothing of what it had.
// Stopped by: the kernel's own peak (VmHWM, or the cgroup's), which no program can lower.
// Run: memory=32M -- unmap => MLE
// Run: memory=32M -- empty => MLE
// Run: memory=32M -- free => MLE
// Run: memory=32M -- shrink => MLE
// Run: memory=32M -- replace => MLE
// Run: memory=32M -- break => MLE
// Run: memory=32M processes=2 -- child => MLE
// Run: memory=32M processes=2 -- exec => MLE
// Run: memory=32M -- below => OK
#define _GNU_SOURCE
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static int is(const char* a, const char* b) { return strcmp(a, b) == 0; }

int main(int argc, char** argv) {
  const char* const how = argc > 1 ? argv[1] : "unmap";
  const size_t size = is(how, "below") ? 16 << 20 : 48 << 20;
  if (is(how, "child") && fork() != 0) return wait(NULL) < 0;
  if (is(how, "after")) return 0;
  if (is(how, "break")) {
    char* const p = sbrk((long)size);
    if (p == (char*)-1) return 1;
    memset(p, 1, size);
    return sbrk(-(long)size) == (void*)-1;
  }
  char* const p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (p == MAP_FAILED) return 1;
  memset(p, 1, size);
  if (is(how, "unmap")) munmap(p, size);
  if (is(how, "empty")) madvise(p, size, MADV_DONTNEED);
  if (is(how, "free")) madvise(p, size, MADV_FREE);
  if (is(how, "shrink")) mremap(p, size, 4096, 0);
  if (is(how, "replace")) mmap(p, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
  if (is(how, "exec")) execl(argv[0], argv[0], "after", NULL);
  return 0;
}
