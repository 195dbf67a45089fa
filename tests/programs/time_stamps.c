// Reads the time stamp counter (rdtsc, rdtscp) in the program, in a signal handler and in a child: each is later than the
// one before.
// Tally: OK with a process limit of 2 or more, with every engine; RV ("clone") with 1.
#include "program.h"

#include <signal.h>
#include <sys/wait.h>

static unsigned long long last;

static void Read(const char* where, int and_processor) {
  unsigned low, high, processor = 0;
  if (and_processor) {
    __asm__ volatile("rdtscp" : "=a"(low), "=d"(high), "=c"(processor));
  } else {
    __asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
  }
  const unsigned long long now = (unsigned long long)high << 32 | low;
  printf("%s: %s\n", where, now > last ? "later" : "not later");
  last = now;
}

static void Handle(int signal) {
  (void)signal;
  Read("handler", 0);
}

int main(void) {
  Read("program", 0);
  Read("with the processor's number", 1);
  signal(SIGUSR1, Handle);
  raise(SIGUSR1);
  fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    Read("child", 0);
    fflush(stdout);
    _exit(0);
  }
  int status = 1;
  waitpid(child, &status, 0);
  Read("after the child", 0);
  End();
  return status;
}
