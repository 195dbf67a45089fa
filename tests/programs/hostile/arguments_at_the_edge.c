// Tries: to have the judge read what the kernel would not: strings, vectors and structures that end at the last byte of a mapping, or
//   one byte beyond, whose second half lies in another's or in no page.
// Kernel: each call reads its arguments as far as it needs, and fails with EFAULT where they end too early.
// Stopped by: arguments are read by the same rule, byte by byte at an edge, and an unreadable one is EFAULT for the program.
// Run: same -- => OK
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

static void tell(const char* what, long result) { printf("%s: %s\n", what, result >= 0 ? "taken" : strerror(errno)); }

int main(void) {
  char* const p = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  munmap(p + 4096, 4096);
  char* const edge = p + 4096;
  for (int beyond = 0; beyond < 3; ++beyond) {
    printf("%d\n", beyond);
    memset(p, 'a', 4096);
    if (beyond == 0) edge[-1] = 0;
    tell("open", open(edge - 6, O_RDONLY));
    tell("access", access(edge - 1, F_OK));
    tell("readlink", readlink(edge - 3, p, 64));
    memset(p, 0, 4096);
    tell("nanosleep", nanosleep((struct timespec*)(edge - 16 + beyond), NULL));
    tell("setitimer", setitimer(ITIMER_VIRTUAL, (struct itimerval*)(edge - 32 + beyond), NULL));
    tell("sigaction", syscall(SYS_rt_sigaction, SIGUSR1, edge - 32 + beyond, NULL, 8));
    tell("sigprocmask", syscall(SYS_rt_sigprocmask, SIG_BLOCK, edge - 8 + beyond, NULL, 8));
    tell("readv", readv(0, (struct iovec*)(edge - 16 + beyond), 1));
    tell("poll", poll((struct pollfd*)(edge - 8 + beyond), 1, 0));
    tell("fstat", fstat(1, (struct stat*)(edge - 144 + beyond)));
    tell("getcwd", syscall(SYS_getcwd, edge - 64 + beyond, 4096));
    tell("uname", syscall(SYS_uname, edge - 390 + beyond));
    tell("time", syscall(SYS_clock_gettime, CLOCK_REALTIME, edge - 16 + beyond));
    tell("pipe", pipe((int*)(edge - 8 + beyond)));
    tell("sigaltstack", sigaltstack((stack_t*)(edge - 24 + beyond), NULL));
  }
  return 0;
}
