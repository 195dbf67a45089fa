// Tries: to wait for ever in calls that seldom wait: select and its kin, sleeping on a clock of its own CPU time, splices and copies
//   from an empty pipe, a full pipe, absurd deadlines, a signal that is blocked, itself.
// Kernel: each of these sleeps without CPU time; a deadline beyond what 64 bits of nanoseconds hold is never.
// Stopped by: limits on idle and real time.
// Run: time=0.15 -- select => TLE
// Run: time=0.15 -- pselect => TLE
// Run: time=0.15 -- ppoll => TLE
// Run: time=0.15 -- epoll => TLE
// Run: time=0.15 -- splice => TLE
// Run: time=0.15 -- tee => TLE
// Run: time=0.15 -- full => TLE
// Run: time=0.15 -- cpuclock => TLE
// Run: time=0.15 -- futex => TLE
// Run: time=0.15 -- bitset => TLE
// Run: time=0.15 -- readv => TLE
// Run: time=0.15 -- signalfd => TLE
// Run: time=0.15 -- restarts => TLE
// Run: time=0.15 processes=2 -- child => TLE
#define _GNU_SOURCE
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const char* how;
static int is(const char* name) { return strcmp(how, name) == 0; }
static void nothing(int number) { (void)number; }

int main(int argc, char** argv) {
  how = argc > 1 ? argv[1] : "select";
  int in[2], out[2];
  if (pipe(in) != 0 || pipe(out) != 0) return 1;
  static char text[1 << 16];
  uint32_t word = 0;
  const struct timespec never = {INT64_MAX, 999999999}, late = {INT64_MAX / 1000000000, 0};
  fd_set set;
  FD_ZERO(&set);
  FD_SET(in[0], &set);
  sigset_t all;
  sigfillset(&all);
  if (is("select")) select(in[0] + 1, &set, NULL, NULL, &(struct timeval){INT64_MAX / 2, 999999});
  if (is("pselect")) pselect(0, NULL, NULL, NULL, &never, &all);
  if (is("ppoll")) ppoll(NULL, 0, &never, NULL);
  if (is("epoll")) syscall(441, epoll_create1(0), &(struct epoll_event){0}, 1, &never, NULL, 8);
  if (is("splice")) splice(in[0], NULL, out[1], NULL, 1, 0);
  if (is("tee")) tee(in[0], out[1], 1, 0);
  for (int i = 0; is("full") && i < 1000; ++i) (void)!write(out[1], text, sizeof text);
  if (is("cpuclock")) clock_nanosleep(CLOCK_PROCESS_CPUTIME_ID, 0, &(struct timespec){1, 0}, NULL);
  if (is("futex")) syscall(SYS_futex, &word, 0, 0, &late);
  if (is("bitset")) syscall(SYS_futex, &word, 9, 0, &late, NULL, -1);
  if (is("readv")) (void)!readv(in[0], &(struct iovec){text, sizeof text}, 1);
  if (is("signalfd")) sigprocmask(SIG_BLOCK, &all, NULL), (void)!read(signalfd(-1, &all, 0), text, sizeof text);
  if (is("restarts")) {  // a wait that is interrupted and begun again, each time with all its time
    sigaction(SIGALRM, &(struct sigaction){.sa_handler = nothing, .sa_flags = SA_RESTART}, NULL);
    setitimer(ITIMER_REAL, &(struct itimerval){{0, 20000}, {0, 20000}}, NULL);
    for (;;) (void)!read(in[0], text, 1);
  }
  if (is("child")) {
    const pid_t parent = getpid();
    if (fork() == 0) kill(parent, SIGCONT), (void)!read(in[0], text, 1);
    waitid(P_ALL, 0, NULL, WSTOPPED | WCONTINUED);
  }
  for (;;) poll(NULL, 0, -1);
}
