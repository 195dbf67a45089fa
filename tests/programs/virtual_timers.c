// Every kind of timer, and when it goes off: by the clock of the program, in milliseconds since it began.
#include "program.h"

#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <time.h>

static volatile sig_atomic_t seen;
static void Count(int signal) { seen += signal != 0; }

static long Milliseconds(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static void Await(const char* what, int times) {
  seen = 0;
  for (volatile long spins = 0; seen < times; ++spins) {
  }
  printf("%s: %d after %ld ms\n", what, (int)seen, Milliseconds(CLOCK_MONOTONIC));
}

static void* Notified(void* unused) { return unused; }
static void OnThread(union sigval value) { __atomic_store_n((int*)value.sival_ptr, 1, __ATOMIC_SEQ_CST); }

int main(void) {
  struct itimerval one = {{0, 0}, {0, 20000}}, every = {{0, 5000}, {0, 5000}}, none = {{0, 0}, {0, 0}}, left;
  signal(SIGALRM, Count);
  signal(SIGVTALRM, Count);
  signal(SIGPROF, Count);
  signal(SIGUSR1, Count);
  printf("before: %u\n", alarm(100));
  printf("left of it: %u\n", alarm(0));
  setitimer(ITIMER_REAL, &one, NULL);
  Await("setitimer", 1);
  setitimer(ITIMER_REAL, &every, NULL);
  getitimer(ITIMER_REAL, &left);
  printf("left: %d of %d ms\n", (int)(left.it_value.tv_usec + 999) / 1000, (int)left.it_interval.tv_usec / 1000);
  Await("setitimer, again and again", 4);
  setitimer(ITIMER_REAL, &none, NULL);
  setitimer(ITIMER_VIRTUAL, &one, NULL);
  Await("of the processor's time", 1);
  setitimer(ITIMER_PROF, &one, NULL);
  Await("to profile", 1);

  alarm(2);
  seen = 0;
  pause();
  printf("pause: %d after %ld ms\n", (int)seen, Milliseconds(CLOCK_MONOTONIC));

  struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR1};
  struct itimerspec at = {{0, 0}, {0, 10000000}};
  timer_t timer;
  timer_create(CLOCK_MONOTONIC, &event, &timer);
  timer_settime(timer, 0, &at, NULL);
  Await("timer_create", 1);
  timer_delete(timer);

  int told = 0;
  struct sigevent on_thread = {.sigev_notify = SIGEV_THREAD, .sigev_notify_function = OnThread, .sigev_value.sival_ptr = &told};
  timer_create(CLOCK_REALTIME, &on_thread, &timer);
  timer_settime(timer, 0, &at, NULL);
  while (__atomic_load_n(&told, __ATOMIC_SEQ_CST) == 0) usleep(1000);
  printf("on a thread: after %ld ms\n", Milliseconds(CLOCK_MONOTONIC));
  timer_delete(timer);

  const int file = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC);
  struct itimerspec often = {{0, 3000000}, {0, 3000000}};
  unsigned long long times = 0;
  timerfd_settime(file, 0, &often, NULL);
  printf("timerfd, read: %d\n", (int)read(file, &times, sizeof times));
  usleep(10000);
  printf("%d\n", read(file, &times, sizeof times) == sizeof times ? (int)times : -1);
  struct pollfd ready = {.fd = file, .events = POLLIN};
  printf("timerfd, poll: %d\n", poll(&ready, 1, 0));
  printf("%d after %ld ms\n", poll(&ready, 1, -1), Milliseconds(CLOCK_MONOTONIC));
  const int group = epoll_create1(0);
  struct epoll_event which = {.events = EPOLLIN, .data.fd = file};
  epoll_ctl(group, EPOLL_CTL_ADD, file, &which);
  printf("epoll: %d\n", epoll_wait(group, &which, 1, 1000));
  timerfd_settime(file, 0, &at, NULL);
  printf("set anew: %d\n", poll(&ready, 1, 0));
  const pid_t child = fork();
  if (child == 0) _exit(read(file, &times, sizeof times) == sizeof times ? (int)times : 99);
  int status = 0;
  waitpid(child, &status, 0);
  printf("a child reads: %d after %ld ms\n", WEXITSTATUS(status), Milliseconds(CLOCK_MONOTONIC));
  pthread_t thread;
  pthread_create(&thread, NULL, Notified, NULL);
  pthread_join(thread, NULL);
  End();
  return 0;
}
