// SIGTRAP as the program's own signal: with a handler, blocked and pending, ignored, asked for, once; and new code is
// executed at each step. Not with counter=step, which steps by that signal.
// With the argument ignored or blocked it executes an int3 while SIGTRAP is that, which ends it: the kernel does not let
// a trap of the processor pass.
// Tally: OK, with an argument RE (signal 5); every line as natively, with counter=translator too.
#include "program.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile sig_atomic_t seen;
static void Counts(int sig) { seen += sig == SIGTRAP; }

// New code each time: so many functions of one shape.
#define FRESH(n) \
  __attribute__((noinline)) static int Fresh##n(int x) { return x % 7 == n % 7 ? x * n : x + n; }
FRESH(1) FRESH(2) FRESH(3) FRESH(4) FRESH(5) FRESH(6) FRESH(7) FRESH(8)

static void Show(const char* when, int fresh) {
  sigset_t blocked, pending;
  struct sigaction action;
  sigprocmask(SIG_BLOCK, NULL, &blocked);
  sigpending(&pending);
  sigaction(SIGTRAP, NULL, &action);
  const char* what = action.sa_handler == Counts ? "handler" : action.sa_handler == SIG_IGN ? "ignored" : "default";
  printf("%s: %d, %s, blocked %d, pending %d, seen %d\n", when, fresh, what, sigismember(&blocked, SIGTRAP),
         sigismember(&pending, SIGTRAP), (int)seen);
}

int main(int argc, char** argv) {
  if (argc > 1) {
    signal(SIGTRAP, SIG_IGN);
    raise(SIGTRAP);
    if (strcmp(argv[1], "blocked") == 0) {
      sigset_t trap;
      sigemptyset(&trap);
      sigaddset(&trap, SIGTRAP);
      signal(SIGTRAP, Counts);
      sigprocmask(SIG_BLOCK, &trap, NULL);
    }
    __asm__ volatile("int3");
    End();
    return 0;
  }
  sigset_t trap, all;
  sigemptyset(&trap);
  sigaddset(&trap, SIGTRAP);
  sigfillset(&all);
  struct sigaction action = {.sa_handler = Counts};
  sigaction(SIGTRAP, &action, NULL);
  raise(SIGTRAP);
  Show("with a handler", Fresh1(1));
  sigprocmask(SIG_BLOCK, &trap, NULL);
  Show("blocked", Fresh2(2));
  raise(SIGTRAP);
  Show("sent", Fresh3(3));
  sigprocmask(SIG_UNBLOCK, &trap, NULL);
  Show("let through", Fresh4(4));
  sigprocmask(SIG_SETMASK, &all, NULL);
  Show("all blocked", Fresh5(5));
  sigprocmask(SIG_UNBLOCK, &all, NULL);
  raise(SIGTRAP);
  signal(SIGTRAP, SIG_IGN);
  raise(SIGTRAP);
  Show("ignored", Fresh6(6));
  raise(SIGTRAP);
  action.sa_flags = SA_RESETHAND;
  sigaction(SIGTRAP, &action, NULL);
  raise(SIGTRAP);
  Show("once", Fresh7(7));
  signal(SIGTRAP, Counts);
  __asm__ volatile("int3");
  Show("by an instruction", Fresh8(8));
  signal(SIGTRAP, SIG_DFL);
  Show("as at first", 0);
  End();
  return 0;
}
