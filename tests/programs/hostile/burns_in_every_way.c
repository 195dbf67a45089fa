// Tries: CPU time that is not seen: in children that are orphans, in a vfork whose parent waits, in page faults, in timers'
//   handlers, in a chain of execve, in one long call, in yields.
// Kernel: CPU time is counted per task, and what a task used is told to its parent only when that one waits.
// Stopped by: the clocks of all tasks are read, and a task's once more at its end (resources/cpu_clock.h).
// Run: time=0.2 processes=2 -- orphan => TLE
// Run: time=0.2 processes=2 -- vfork => TLE
// Run: time=0.2 -- faults => TLE
// Run: time=0.2 -- handlers => TLE
// Run: time=0.2 processes=2 -- exec => TLE
// Run: time=0.2 -- exec => RV
// Run: time=0.2 -- yield => TLE
// Run: time=0.2 -- maps => TLE
// Run: time=0.2 -- longread => TLE
// Run: time=0.2 -- signals => TLE
// Run: time=0.2 processes=8 -- relay => OK TLE
#define _GNU_SOURCE
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

static void handler(int number) { (void)number; }
static void burns(int number) {
  (void)number;
  for (volatile int i = 0;; ++i) {
  }
}
static int is(const char* how, const char* name) { return strcmp(how, name) == 0; }

int main(int argc, char** argv) {
  const char* how = argc > 1 ? argv[1] : "yield";
  if (is(how, "orphan")) {
    if (fork() == 0) burns(0);
    for (;;) pause();
  }
  if (is(how, "vfork") && vfork() == 0) burns(0);
  if (is(how, "exec")) execv(argv[0], argv);
  if (is(how, "handlers")) {
    signal(SIGALRM, burns);
    setitimer(ITIMER_REAL, &(struct itimerval){{0, 50}, {0, 50}}, NULL);
    for (;;) pause();
  }
  if (is(how, "signals")) {
    signal(SIGUSR1, handler);
    for (;;) raise(SIGUSR1);
  }
  for (unsigned i = 0;; ++i) {
    if (is(how, "yield")) sched_yield();
    if (is(how, "faults")) {
      static char area[1 << 20];
      for (unsigned j = 0; j < sizeof area; j += 4096) area[j] = 1;
      madvise(area, sizeof area, MADV_DONTNEED);
    }
    if (is(how, "maps")) {
      void* const p = mmap(NULL, 8192, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
      munmap(mremap(p, 8192, 16384, MREMAP_MAYMOVE), 16384);
    }
    if (is(how, "longread")) {
      static char area[32 << 20];
      (void)!read(open("/dev/zero", O_RDONLY), area, sizeof area);
    }
    if (is(how, "relay")) {
      const pid_t child = fork();
      if (child != 0) _exit(0);
      for (volatile int j = 0; j < 100000; ++j) {
      }
      if (getppid() == 0) return 1;
    }
  }
}
