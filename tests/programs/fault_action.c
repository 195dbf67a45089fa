// SIGSEGV as the program's own signal: with a handler, blocked and pending, ignored, asked for, once, in a fork, in a handler that
// patches the function that faulted; and at each step it writes into code that it executed.
// With the argument ignored or blocked it reads where nothing is while SIGSEGV is that, which ends it: the kernel does not
// let a fault pass.
// Tally: OK, with an argument RE (signal 11); every line as natively, with counter=translator too.
#include "program.h"

#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static unsigned char* code;
static volatile sig_atomic_t seen;
static void Counts(int sig) { seen += sig == SIGSEGV; }

static int Call(long argument) { return ((int (*)(long))code)(argument); }  // NOLINT: code made here

// mov $constant, %eax; ret
static int Rewrite(unsigned char constant) {
  code[0] = 0xb8, code[1] = constant, code[2] = code[3] = code[4] = 0, code[5] = 0xc3;
  return Call(0);
}

// What reads at its argument is made to return 0 instead. The signal is blocked here: a handler without SA_NODEFER.
static void Patches(int sig) {
  Counts(sig);
  code[0] = 0x31, code[1] = 0xc0;
}

static void Show(const char* when, int fresh) {
  sigset_t blocked, pending;
  struct sigaction action;
  sigprocmask(SIG_BLOCK, NULL, &blocked);
  sigpending(&pending);
  sigaction(SIGSEGV, NULL, &action);
  const char* what = action.sa_handler == Counts    ? "handler"
                     : action.sa_handler == Patches ? "one that patches"
                     : action.sa_handler == SIG_IGN ? "ignored"
                                                    : "default";
  printf("%s: %d, %s, blocked %d, pending %d, seen %d\n", when, fresh, what, sigismember(&blocked, SIGSEGV),
         sigismember(&pending, SIGSEGV), (int)seen);
  fflush(stdout);
}

// By a call that reads what it is to set where it puts what was set.
static void SetInPlace(void (*handler)(int)) {
  struct {
    void (*handler)(int);
    unsigned long flags, restorer, mask;
  } action;
  syscall(SYS_rt_sigaction, SIGSEGV, NULL, &action, 8);
  action.handler = handler;
  syscall(SYS_rt_sigaction, SIGSEGV, &action, &action, 8);
}

int main(int argc, char** argv) {
  code = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  sigset_t fault, all;
  sigemptyset(&fault);
  sigaddset(&fault, SIGSEGV);
  sigfillset(&all);
  Rewrite(0);
  if (argc > 1) {
    signal(SIGSEGV, SIG_IGN);
    raise(SIGSEGV);
    Rewrite(1);
    if (strcmp(argv[1], "blocked") == 0) {
      signal(SIGSEGV, Counts);
      sigprocmask(SIG_BLOCK, &fault, NULL);
      Rewrite(2);
    }
    fflush(stdout);
    *(volatile int*)16 = 1;  // NOLINT: nothing is there
    End();
    return 0;
  }
  struct sigaction action = {.sa_handler = Counts};
  sigaction(SIGSEGV, &action, NULL);
  raise(SIGSEGV);
  Show("with a handler", Rewrite(1));
  sigprocmask(SIG_BLOCK, &fault, NULL);
  Show("blocked", Rewrite(2));
  raise(SIGSEGV);
  Show("sent", Rewrite(3));
  Show("and again", Rewrite(4));
  sigprocmask(SIG_UNBLOCK, &fault, NULL);
  Show("let through", Rewrite(5));
  sigprocmask(SIG_BLOCK, &fault, NULL);
  kill(getpid(), SIGSEGV);
  Show("sent to the process", Rewrite(14));
  sigprocmask(SIG_UNBLOCK, &fault, NULL);
  sigprocmask(SIG_BLOCK, &fault, NULL);
  kill(getpid(), SIGSEGV);
  raise(SIGSEGV);
  Show("to both", Rewrite(15));
  sigprocmask(SIG_UNBLOCK, &fault, NULL);
  Show("let through", Rewrite(16));
  sigprocmask(SIG_SETMASK, &all, NULL);
  Show("all blocked", Rewrite(6));
  sigprocmask(SIG_UNBLOCK, &all, NULL);
  raise(SIGSEGV);
  signal(SIGSEGV, SIG_IGN);
  raise(SIGSEGV);
  Show("ignored", Rewrite(7));
  raise(SIGSEGV);
  action.sa_flags = SA_RESETHAND;
  sigaction(SIGSEGV, &action, NULL);
  Show("once", Rewrite(8));
  raise(SIGSEGV);
  Show("entered", Rewrite(9));
  signal(SIGSEGV, Patches);
  for (int i = 0; i < 3; ++i) {
    memcpy(code, "\x8b\x07\xc3", 3);  // mov (%rdi), %eax; ret
    Show("patched", Call(16));
  }
  signal(SIGSEGV, Counts);
  sigprocmask(SIG_BLOCK, &fault, NULL);
  if (fork() == 0) {
    Show("in a fork", Rewrite(10));
    raise(SIGSEGV);
    sigprocmask(SIG_UNBLOCK, &fault, NULL);
    Show("in a fork, let through", Rewrite(11));
    _exit(0);
  }
  wait(NULL);
  Show("behind it", Rewrite(12));
  sigprocmask(SIG_UNBLOCK, &fault, NULL);
  SetInPlace(Patches);
  sigprocmask(SIG_BLOCK, &fault, NULL);
  Show("set where what was is put", Rewrite(17));
  sigprocmask(SIG_UNBLOCK, &fault, NULL);
  signal(SIGSEGV, SIG_DFL);
  Show("as at first", Rewrite(13));
  End();
  return 0;
}
