// Tries: memory that belongs to no process: files in /tmp that fill it up, are unlinked while open, have no name from the start, are
//   sparse, mapped, or one byte in each of many pages.
// Kernel: a page of tmpfs stays until the file is gone, and a process that ends gives none of it back.
// Stopped by: what the run's own tmpfs holds counts as its memory, by the cgroup or by looking. Under reduced isolation there is nowhere to write.
// Run: only=full memory=32M -- fill => MLE
// Run: only=full memory=32M -- unlinked => MLE
// Run: only=full memory=32M -- nameless => MLE OK
// Run: only=full memory=32M -- sparse => MLE
// Run: only=full memory=32M -- mapped => MLE RE
// Run: only=full memory=32M processes=2 -- child => MLE
// Run: only=full memory=32M output=1M -- large => OLE RE
// Run: only=reduced memory=32M -- fill => OK
// Run: memory=32M -- little => OK
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static int is(const char* a, const char* b) { return strcmp(a, b) == 0; }
static char text[1 << 16];

static void fill(const char* how) {
  char name[64];
  for (int i = 0; i < 50; ++i) {
    snprintf(name, sizeof name, "/tmp/file%d", i);
    const int fd = is(how, "nameless") ? open("/tmp", O_TMPFILE | O_RDWR, 0600) : open(name, O_CREAT | O_RDWR, 0600);
    if (fd < 0) return;
    if (is(how, "unlinked")) unlink(name);
    if (is(how, "mapped")) {
      if (ftruncate(fd, 1 << 20) != 0) return;
      char* const p = mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
      if (p == MAP_FAILED) return;
      memset(p, 1, 1 << 20);
      munmap(p, 1 << 20);
    }
    for (int j = 0; is(how, "sparse") && j < 256; ++j) (void)!pwrite(fd, text, 1, (off_t)j * 4096);
    for (int j = 0; !is(how, "sparse") && !is(how, "mapped") && j < 16; ++j) (void)!write(fd, text, sizeof text);
    if (is(how, "little") && i == 3) return;
  }
}

int main(int argc, char** argv) {
  const char* const how = argc > 1 ? argv[1] : "fill";
  if (is(how, "large")) {
    const int fd = open("/tmp/large", O_CREAT | O_RDWR, 0600);
    for (int i = 0; fd >= 0 && i < 32; ++i) (void)!write(fd, text, sizeof text);
    return 0;
  }
  if (is(how, "child") && fork() != 0) {
    wait(NULL);
    return 0;
  }
  fill(how);
  return 0;
}
