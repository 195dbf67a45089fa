// Tries: two processes, not threads, in one address space: each makes code, changes it, unmaps it, and calls what the other
//   one made, while signals' handlers and the clock of each are its own.
// Kernel: clone(2) with CLONE_VM and without CLONE_THREAD shares memory and nothing else.
// Stopped by: what the translator knows belongs to an address space and not to a process.
// Run: processes=4 -- 200 0 => OK
// Run: processes=4 -- 200 1 => OK
#define _GNU_SOURCE
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile int done, bad, rounds;
static unsigned char* volatile shared;
static char stack[65536] __attribute__((aligned(16)));

static int child(void* unused) {
  (void)unused;
  for (int i = 0; !done; ++i) {
    const int value = ((int (*)(void))shared)();
    if (value < 0 || value > rounds) bad = 1;
    unsigned char* const own = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (own == MAP_FAILED) continue;
    own[0] = 0xc3;
    ((void (*)(void))own)();
    munmap(own, 4096);
  }
  syscall(SYS_exit, 7);
  return 0;
}

int main(int argc, char** argv) {
  rounds = argc > 1 ? atoi(argv[1]) : 10;
  const int sighand = argc > 2 && atoi(argv[2]) ? CLONE_SIGHAND : 0;
  shared = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  memcpy(shared, "\xb8\0\0\0\0\xc3", 6);  // mov eax, 0; ret
  const int pid = clone(child, stack + sizeof stack, CLONE_VM | CLONE_FS | CLONE_FILES | sighand | SIGCHLD, NULL);
  if (pid < 0) return 2;
  for (int i = 1; i <= rounds; ++i) {
    *(volatile int*)(shared + 1 - 1 + 1) = i;
    if (((int (*)(void))shared)() != i) bad = 1;
  }
  done = 1;
  int status = 0;
  if (waitpid(pid, &status, 0) != pid || WEXITSTATUS(status) != 7) return 3;
  return bad ? 4 : 0;
}
