// Tries: to have a task begin in the middle of another's signal: fork, vfork and a thread from inside a handler, nested, from a fault's
//   handler, with the child going back to what was interrupted.
// Kernel: a child has its parent's frames, masks and alternate stack, and returns from them on its own.
// Stopped by: a child takes over what the translator knows of its parent's handlers (guest_signals.cc).
// Run: same processes=2 -- signal => OK
// Run: same processes=2 -- fault => OK
// Run: same processes=5 -- nested => OK
// Run: same processes=2 -- altstack => OK
// Run: same processes=2 -- vfork => OK
#define _GNU_SOURCE
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const char* how;
static int is(const char* name) { return strcmp(how, name) == 0; }
static volatile pid_t child = 1;
static volatile int depth;

static void handler(int number, siginfo_t* info, void* context) {
  (void)info;
  if (is("vfork")) {
    child = vfork();
    if (child == 0) _exit(5);
  } else {
    child = fork();
    if (child == 0 && is("nested") && ++depth < 4) raise(SIGUSR1);
  }
  if (number == SIGSEGV) ((unsigned long*)context)[21] += 2;  // rip: over the load
}

int main(int argc, char** argv) {
  how = argc > 1 ? argv[1] : "signal";
  static char other[1 << 16];
  sigaltstack(&(stack_t){.ss_sp = other, .ss_size = sizeof other}, NULL);
  const struct sigaction action = {.sa_sigaction = handler, .sa_flags = SA_SIGINFO | SA_NODEFER | (is("altstack") ? SA_ONSTACK : 0)};
  sigaction(SIGUSR1, &action, NULL);
  sigaction(SIGSEGV, &action, NULL);
  sigaction(SIGALRM, &action, NULL);
  if (is("fault")) __asm__ volatile("movb (%0), %%al" : : "r"(16L) : "rax", "memory");
  else if (is("nested")) raise(SIGUSR1);
  else raise(SIGALRM);
  if (child == 0) _exit(depth + 1);  // the last child there is
  int status = 0;
  waitpid(child, &status, 0);
  if (depth > 0) _exit(WEXITSTATUS(status));
  printf("%x\n", status);
  return 0;
}
