// Tries: to hang the judge by standing still: it stops itself by each stop signal, waits for what never comes in each call
//   that waits, with every signal blocked or ignored.
// Kernel: a stopped or waiting process uses no CPU time, so no limit on that ever ends it.
// Stopped by: limits on idle and real time, and SIGKILL, which nothing blocks.
// Run: time=0.15 -- stop => TLE RV
// Run: time=0.15 -- tstp => TLE RV
// Run: time=0.15 -- futex => TLE
// Run: time=0.15 -- suspend => TLE
// Run: time=0.15 -- pipe => TLE
// Run: time=0.15 -- poll => TLE
// Run: time=0.15 -- epoll => TLE
// Run: time=0.15 -- sigwait => TLE
// Run: time=0.15 -- timerfd => TLE
// Run: time=0.15 -- eventfd => TLE
// Run: time=0.15 -- sleep => TLE OK
// Run: time=0.15 processes=2 -- vfork => TLE
// Run: time=0.15 processes=2 -- wait => TLE
// Run: time=0.15 -- pause => TLE
#define _GNU_SOURCE
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

int main(int argc, char** argv) {
  const char* how = argc > 1 ? argv[1] : "pause";
  sigset_t all;
  sigfillset(&all);
  for (int i = 1; i < 65; ++i) signal(i, SIG_IGN);
  signal(SIGTSTP, SIG_DFL);
  uint64_t number = 0;
  int fds[2];
  if (pipe(fds) != 0) return 1;
  if (strcmp(how, "stop") == 0) kill(getpid(), SIGSTOP);
  if (strcmp(how, "tstp") == 0) raise(SIGTSTP);
  sigprocmask(SIG_BLOCK, &all, NULL);
  if (strcmp(how, "futex") == 0) syscall(SYS_futex, &number, 0, 0, NULL);
  if (strcmp(how, "suspend") == 0) sigsuspend(&all);
  if (strcmp(how, "pipe") == 0) (void)!read(fds[0], &number, 8);
  if (strcmp(how, "poll") == 0) poll(&(struct pollfd){fds[0], POLLIN, 0}, 1, -1);
  if (strcmp(how, "epoll") == 0) epoll_wait(epoll_create1(0), &(struct epoll_event){0}, 1, -1);
  if (strcmp(how, "sigwait") == 0) sigwaitinfo(&all, NULL);
  if (strcmp(how, "timerfd") == 0) (void)!read(timerfd_create(CLOCK_MONOTONIC, 0), &number, 8);
  if (strcmp(how, "eventfd") == 0) (void)!read(eventfd(0, 0), &number, 8);
  if (strcmp(how, "sleep") == 0) clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, &(struct timespec){INT64_MAX / 2, 0}, NULL);
  if (strcmp(how, "vfork") == 0 && vfork() == 0) for (;;) syscall(SYS_pause);
  if (strcmp(how, "wait") == 0) {
    if (fork() == 0) for (;;) pause();
    waitid(P_ALL, 0, NULL, WEXITED);
  }
  for (;;) pause();
}
