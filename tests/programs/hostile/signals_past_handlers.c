// Tries: to get a handler entered outside of translated code: one thread changes what a signal does, from ignored to a
//   handler and back, while another sends that signal without a pause.
// Kernel: what is done with a signal is decided when it is delivered, after its tracer has let it through.
// Stopped by: what would be ignored is not passed on, and a handler that is entered all the same is executed in translation
//   (guest_signals.cc, Guest::HandleFault).
// Build: threads
// Run: time=8 processes=4 -- 3000 => OK
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

static volatile int done;
static void handler(int signal) { (void)signal; }
static void* changes(void* unused) {
  const int signals[] = {SIGWINCH, SIGURG, SIGUSR1};
  while (!done) {
    for (int i = 0; i < 3; ++i) {
      signal(signals[i], handler);
      signal(signals[i], SIG_IGN);
    }
  }
  return unused;
}

int main(int argc, char** argv) {
  signal(SIGUSR1, SIG_IGN);
  pthread_t thread;
  pthread_create(&thread, NULL, changes, NULL);
  for (int i = argc > 1 ? atoi(argv[1]) : 100; i > 0; --i) {
    raise(SIGWINCH);
    raise(SIGURG);
    raise(SIGUSR1);
  }
  done = 1;
  pthread_join(thread, NULL);
  return 0;
}
