// Waits whose end comes by two ways at once, and files that are closed meanwhile. Prints a line for each.
// Tally: OK with 4 processes and sockets; by turns as natively.
#include "program.h"

#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <time.h>

static int word, ended;
static long woken, woke_up;

static long Futex(int operation, int value, const struct timespec* time) {
  return syscall(SYS_futex, &word, operation | FUTEX_PRIVATE_FLAG, value, time);
}

static void* WaitsBriefly(void* nothing) {
  for (int i = 0; i < 200; ++i) {
    const struct timespec time = {0, 300000};
    if (Futex(FUTEX_WAIT, 0, &time) == 0) __atomic_add_fetch(&woke_up, 1, __ATOMIC_SEQ_CST);
  }
  __atomic_add_fetch(&ended, 1, __ATOMIC_SEQ_CST);
  return nothing;
}

static void* Wakes(void* nothing) {
  unsigned random = 7;
  while (__atomic_load_n(&ended, __ATOMIC_SEQ_CST) < 2) {
    random = random * 1103515245 + 12345;
    for (volatile unsigned i = 0; i < 20000 + (random >> 16) % 100000; ++i) {
    }
    const long n = Futex(FUTEX_WAKE, 1, NULL);
    if (n > 0) __atomic_add_fetch(&woken, n, __ATOMIC_SEQ_CST);
    sched_yield();
  }
  return nothing;
}

// Whoever a wake has counted was woken, though its time was over, too.
static void EveryWakeIsSomebodys(void) {
  pthread_t threads[4];
  for (int i = 0; i < 4; ++i) pthread_create(&threads[i], NULL, i < 2 ? WaitsBriefly : Wakes, NULL);
  for (int i = 0; i < 4; ++i) pthread_join(threads[i], NULL);
  printf("wakes: %s\n", woken == woke_up ? "as many as woke up" : "?");
}

static void OneSignalOfEachTimer(void) {
  sigset_t blocked;
  sigemptyset(&blocked);
  sigaddset(&blocked, SIGALRM);
  sigprocmask(SIG_BLOCK, &blocked, NULL);
  const struct itimerspec soon = {{0, 0}, {0, 1000000}};
  timer_t timers[3];
  for (int i = 0; i < 3; ++i) {
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGALRM, .sigev_value.sival_int = i};
    timer_create(CLOCK_MONOTONIC, &event, &timers[i]);
    timer_settime(timers[i], 0, &soon, NULL);
  }
  usleep(10000);
  int seen = 0;
  const struct timespec at_once = {0, 0};
  siginfo_t info;
  while (sigtimedwait(&blocked, &info, &at_once) == SIGALRM) seen |= 1 << info.si_value.sival_int;
  printf("timers of one signal: %#x\n", seen);
}

static void ClosedTimers(void) {
  const struct itimerspec often = {{0, 20000}, {0, 20000}};
  const int set = epoll_create1(0);
  struct epoll_event event = {.events = EPOLLIN};
  for (int i = 0; i < 100; ++i) {
    const int file = timerfd_create(CLOCK_MONOTONIC, 0);
    timerfd_settime(file, 0, &often, NULL);
    epoll_ctl(set, EPOLL_CTL_ADD, file, &event);
    close(file);
  }
  for (int i = 0; i < 20; ++i) usleep(10000);
  printf("closed timers: %d ready\n", epoll_wait(set, &event, 1, 10));
}

// Who has sent a part gets no SIGPIPE.
static void ReaderOfSocketGoes(void) {
  static char block[1 << 20];
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) return;
  const pid_t child = fork();
  if (child == 0) {
    close(ends[1]);
    char part[1000];
    usleep(1000);
    _exit(read(ends[0], part, sizeof part) == sizeof part ? 0 : 1);
  }
  close(ends[0]);
  const ssize_t sent = write(ends[1], block, sizeof block);
  printf("nobody reads the rest of what is sent: %s\n", sent > 1000 && sent < (ssize_t)sizeof block ? "a part was" : "?");
  waitpid(child, NULL, 0);
  close(ends[1]);
  // Its patience is for each part.
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) return;
  const struct timeval patience = {0, 100000};
  setsockopt(ends[1], SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
  const pid_t slow = fork();
  if (slow == 0) {
    close(ends[1]);
    static char part[32768];
    while (read(ends[0], part, sizeof part) > 0) usleep(20000);
    _exit(0);
  }
  close(ends[0]);
  printf("sent to a slow reader: %zd bytes\n", write(ends[1], block, sizeof block));
  close(ends[1]);
  waitpid(slow, NULL, 0);
}

static void* EndsWithTheOthers(void* nothing) {
  for (;;) pause();
  return nothing;
}

// The first thread of a process that ends as a whole is not gone before the others are.
static void WholeProcessesEnd(void) {
  int bad = 0;
  for (int i = 0; i < 20; ++i) {
    const pid_t child = fork();
    if (child == 0) {
      pthread_t thread;
      for (int j = 0; j < 2; ++j) pthread_create(&thread, NULL, EndsWithTheOthers, NULL);
      _exit(i);
    }
    int status = 0;
    bad += waitpid(child, &status, 0) != child || WEXITSTATUS(status) != i;
  }
  printf("ends of processes: %d wrong\n", bad);
}

int main(void) {
  setvbuf(stdout, NULL, _IONBF, 0);
  EveryWakeIsSomebodys();
  OneSignalOfEachTimer();
  ClosedTimers();
  ReaderOfSocketGoes();
  WholeProcessesEnd();
  End();
  return 0;
}
