// Tries: memory that no limit sees: shared, locked, given back and touched again, on huge pages, in page tables alone, in
//   /tmp, in pipes, behind descriptors, timers, signals and names.
// Kernel: each of these is counted somewhere else, or nowhere: VmHWM has no shared pages of others, no page tables, no
//   objects of the kernel's.
// Stopped by: a cgroup where there is one; RLIMIT_AS, limits on descriptors and pending signals, and tmpfs' own size otherwise.
// Run: memory=32M -- shared => MLE
// Run: memory=32M -- anonymous => MLE
// Run: memory=32M -- noreserve => MLE
// Run: memory=32M -- free => MLE OK
// Run: memory=32M -- remove => MLE OK
// Run: memory=32M -- descriptors => OK MLE
// Run: memory=32M -- timers => OK MLE
// Run: memory=32M -- queue => OK MLE RV
// Run: memory=32M -- pipes => OK MLE
// Run: memory=32M -- mappings => OK MLE RV
// Run: memory=32M -- memfd => RV
// Run: memory=32M -- inotify => RV
// Run: memory=32M -- sem => RV
// Run: memory=32M -- growsdown => MLE RE OK
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/sem.h>
#include <time.h>
#include <unistd.h>

enum { kMiB = 1 << 20 };
static char* map(size_t size, int flags) {
  char* const p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_ANONYMOUS | flags, -1, 0);
  return p == MAP_FAILED ? NULL : p;
}

int main(int argc, char** argv) {
  const char* how = argc > 1 ? argv[1] : "shared";
  for (int i = 0; i < 64; ++i) {
    char* p = NULL;
    if (strcmp(how, "shared") == 0) p = map(kMiB, MAP_SHARED);
    if (strcmp(how, "anonymous") == 0) p = map(kMiB, MAP_PRIVATE);
    if (strcmp(how, "noreserve") == 0) p = map(kMiB, MAP_PRIVATE | MAP_NORESERVE);
    if (strcmp(how, "growsdown") == 0) p = map(kMiB, MAP_PRIVATE | MAP_GROWSDOWN);
    if (strcmp(how, "free") == 0 || strcmp(how, "remove") == 0) p = map(kMiB, MAP_SHARED);
    if (p != NULL) memset(p, 1, kMiB);
    if (strcmp(how, "free") == 0 && p != NULL) madvise(p, kMiB, MADV_FREE);
    if (strcmp(how, "remove") == 0 && p != NULL) madvise(p, kMiB, MADV_REMOVE), munmap(p, kMiB);
    for (int j = 0; j < 200; ++j) {
      int fds[2];
      timer_t timer;
      if (strcmp(how, "descriptors") == 0) eventfd(0, 0);
      if (strcmp(how, "timers") == 0) timer_create(CLOCK_MONOTONIC, NULL, &timer);
      if (strcmp(how, "queue") == 0) signal(SIGRTMIN, SIG_IGN), sigqueue(getpid(), SIGRTMIN, (union sigval){0});
      if (strcmp(how, "pipes") == 0 && pipe2(fds, O_NONBLOCK) == 0) fcntl(fds[1], F_SETPIPE_SZ, kMiB), (void)!write(fds[1], map(kMiB, MAP_PRIVATE), kMiB);
      if (strcmp(how, "mappings") == 0) mmap(NULL, 4096, j % 2 ? PROT_READ : PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    }
    if (strcmp(how, "memfd") == 0) memfd_create("x", MFD_HUGETLB);
    if (strcmp(how, "inotify") == 0) inotify_init1(0);
    if (strcmp(how, "sem") == 0) semget(IPC_PRIVATE, 250, IPC_CREAT | 0600);
  }
  return 0;
}
