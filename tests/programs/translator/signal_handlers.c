// Handlers in their simple and less simple forms: raised in a loop, nested, blocked by their mask, SA_RESETHAND,
// SA_NODEFER, on an alternative stack, and left by siglongjmp.
#include "program.h"

#include <setjmp.h>
#include <signal.h>

static volatile sig_atomic_t count, depth, deepest, on_stack;
static sigjmp_buf out;
static char stack[16384];

static void Counts(int sig) { count += sig; }
static void Nests(int sig) {
  static int nested;
  ++count;
  if (depth < 4 && ++nested < 8) {
    ++depth;
    raise(sig == SIGUSR1 ? SIGUSR2 : SIGUSR1);
    --depth;
  }
}
static void Recurses(int sig) {
  if (++deepest < 5) raise(sig);
}
static void OnStack(int sig) {
  char here;
  (void)sig;
  on_stack += &here >= stack && &here < stack + sizeof stack;
}
static void Leaves(int sig) { siglongjmp(out, sig); }

static void Install(int sig, void (*handler)(int), int flags) {
  struct sigaction action = {.sa_handler = handler, .sa_flags = flags};
  sigaction(sig, &action, NULL);
}

int main(void) {
  Install(SIGUSR1, Counts, 0);
  for (int i = 0; i < 20; ++i) raise(SIGUSR1);
  printf("counted %d\n", (int)count);
  Install(SIGUSR1, Nests, 0);
  Install(SIGUSR2, Nests, SA_NODEFER);
  raise(SIGUSR1);
  printf("nested %d\n", (int)count);
  Install(SIGUSR1, Recurses, SA_NODEFER);
  raise(SIGUSR1);
  Install(SIGUSR2, Recurses, 0);  // not in itself: the second comes when the first is done
  deepest = 3;
  raise(SIGUSR2);
  printf("deepest %d\n", (int)deepest);
  const stack_t alternative = {.ss_sp = stack, .ss_size = sizeof stack};
  sigaltstack(&alternative, NULL);
  Install(SIGTERM, OnStack, SA_ONSTACK);
  raise(SIGTERM);
  Install(SIGTERM, OnStack, SA_ONSTACK | SA_RESETHAND);
  raise(SIGTERM);
  struct sigaction now;
  sigaction(SIGTERM, NULL, &now);
  printf("on stack %d, reset %d\n", (int)on_stack, now.sa_handler == SIG_DFL);
  Install(SIGHUP, Leaves, 0);
  volatile int left = 0;
  while (sigsetjmp(out, 1) != 0 || left == 0) {
    if (++left == 6) break;
    raise(SIGHUP);
  }
  printf("left %d\n", left);
  sigset_t set, pending;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  sigprocmask(SIG_BLOCK, &set, NULL);
  Install(SIGUSR1, Counts, 0);
  raise(SIGUSR1);
  raise(SIGUSR1);
  sigpending(&pending);
  const int before = count;
  sigprocmask(SIG_UNBLOCK, &set, NULL);
  printf("pending %d, came %d\n", sigismember(&pending, SIGUSR1), (int)count - before);
  signal(SIGUSR1, SIG_IGN);
  raise(SIGUSR1);
  End();
  return 0;
}
