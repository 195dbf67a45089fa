// Signals that come while the program waits: which wait they end, what is left of its time, and who handles them. Prints a line for each.
// Tally: OK with 4 processes; by turns as natively.
#include "program.h"

#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <linux/futex.h>
#include <poll.h>

static volatile int handled;
static volatile pid_t handled_by;

static void Handle(int signal) {
  (void)signal;
  ++handled;
  handled_by = gettid();
}

static void On(int signal, int flags) {
  const struct sigaction action = {.sa_handler = Handle, .sa_flags = flags};
  sigaction(signal, &action, NULL);
  handled = 0;
}

static void In(long milliseconds) {
  const struct itimerval time = {{0, 0}, {0, milliseconds * 1000}};
  setitimer(ITIMER_REAL, &time, NULL);
}

static const char* Error(long result) { return result == -1 ? strerrorname_np(errno) : "none"; }

// Of 100 ms, 20 are over; natively and on a busy machine more.
static const char* Left(long microseconds) { return microseconds > 0 && microseconds < 85000 ? "what is left" : "something else"; }

static void Sleeps(void) {
  On(SIGALRM, SA_RESTART);
  In(20);
  struct timespec left = {0, 100000000};
  const long result = nanosleep(&left, &left);
  printf("nanosleep: %s, left %s\n", Error(result), Left(left.tv_nsec / 1000));
}

static pid_t ChildEndsSoon(int status) {
  fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    usleep(10000);
    _exit(status);
  }
  return child;
}

// Blocked, but for the time of the call.
static void LetsInWhileItWaits(void) {
  On(SIGCHLD, 0);
  sigset_t blocked, none;
  sigemptyset(&none);
  sigemptyset(&blocked);
  sigaddset(&blocked, SIGCHLD);
  sigprocmask(SIG_BLOCK, &blocked, NULL);
  const struct timespec second = {1, 0};
  ChildEndsSoon(0);
  const char* error = Error(pselect(0, NULL, NULL, NULL, &second, &none));
  printf("pselect: %s, %d handled\n", error, handled);
  ChildEndsSoon(0);
  error = Error(ppoll(NULL, 0, &second, &none));
  printf("ppoll: %s, %d handled\n", error, handled);
  const int set = epoll_create1(0);
  struct epoll_event event;
  ChildEndsSoon(0);
  error = Error(epoll_pwait(set, &event, 1, 1000, &none));
  printf("epoll_pwait: %s, %d handled\n", error, handled);
  close(set);
  sigprocmask(SIG_UNBLOCK, &blocked, NULL);
  while (waitpid(-1, NULL, 0) > 0) {
  }
}

// The child that it waits for is there when the signal says so.
static void WaitsForWhoSignals(void) {
  On(SIGCHLD, 0);
  const pid_t child = ChildEndsSoon(3);
  int status = 0;
  const pid_t ended = waitpid(child, &status, 0);
  printf("waitpid: %s, status %d, %d handled\n", ended == child ? "the child" : Error(-1), WEXITSTATUS(status), handled);
}

static sem_t never;
static void* WaitsForNothing(void* nothing) {
  sem_wait(&never);
  return nothing;
}

static void FirstThreadHandles(void) {
  On(SIGALRM, 0);
  sem_init(&never, 0, 0);
  pthread_t other;
  pthread_create(&other, NULL, WaitsForNothing, NULL);
  In(50);
  while (handled == 0) {
  }
  printf("for the process: handled by %s\n", handled_by == getpid() ? "its first thread" : "another");
  sem_post(&never);
  pthread_join(other, NULL);
}

static unsigned word = 1;
static volatile int waits;
static void* WaitsAtWord(void* nothing) {
  (void)nothing;
  waits = 1;
  return (void*)syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 1, NULL);
}

static void WokenThenSignalled(void) {
  On(SIGUSR1, SA_RESTART);
  pthread_t waiter;
  pthread_create(&waiter, NULL, WaitsAtWord, NULL);
  while (!waits) usleep(100);
  usleep(5000);
  const long woken = syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1);
  pthread_kill(waiter, SIGUSR1);
  void* result = NULL;
  pthread_join(waiter, &result);
  printf("woken, then a signal: %ld woken, result %ld\n", woken, (long)result);
}

static void TimeLeftOfSelect(void) {
  int data[2];
  if (pipe(data) != 0) return;
  const pid_t child = fork();
  if (child == 0) {
    usleep(20000);
    _exit(write(data[1], "x", 1) == 1 ? 0 : 1);
  }
  fd_set set;
  FD_ZERO(&set);
  FD_SET(data[0], &set);
  struct timeval left = {0, 100000};
  int ready = select(data[0] + 1, &set, NULL, NULL, &left);
  if (ready < 0) ready = select(data[0] + 1, &set, NULL, NULL, &left);
  printf("select: %d ready, left %s\n", ready, Left(left.tv_usec));
  waitpid(child, NULL, 0);
}

int main(void) {
  setvbuf(stdout, NULL, _IONBF, 0);
  Sleeps();
  LetsInWhileItWaits();
  WaitsForWhoSignals();
  FirstThreadHandles();
  WokenThenSignalled();
  signal(SIGCHLD, SIG_DFL);
  TimeLeftOfSelect();
  End();
  return 0;
}
