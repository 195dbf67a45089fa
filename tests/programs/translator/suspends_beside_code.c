// A blocked signal is delivered in sigsuspend(2), while there is code that the program may write, for which a translator makes calls in
// its name. The mask of the call holds in the handler, that of the program behind it.
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

static volatile int times;
static sigset_t in_handler, in_frame;

static void OnSignal(int signal, siginfo_t* info, void* context) {
  (void)signal, (void)info;
  ++times;
  sigprocmask(SIG_BLOCK, NULL, &in_handler);
  in_frame = ((ucontext_t*)context)->uc_sigmask;
}

static const char* Blocked(const sigset_t* set) {
  static char text[64];
  text[0] = 0;
  if (sigismember(set, SIGUSR1)) strcat(text, " USR1");
  if (sigismember(set, SIGUSR2)) strcat(text, " USR2");
  if (sigismember(set, SIGTERM)) strcat(text, " TERM");
  return text;
}

int main(void) {
  unsigned char* code = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  memcpy(code, "\xb8\x2a\0\0\0\xc3", 6);  // mov $42, %eax; ret
  struct sigaction action = {.sa_sigaction = OnSignal, .sa_flags = SA_SIGINFO};
  sigaction(SIGUSR1, &action, NULL);
  sigset_t usual, waiting, now;
  sigemptyset(&usual);
  sigaddset(&usual, SIGUSR1);
  sigaddset(&usual, SIGTERM);
  sigemptyset(&waiting);
  sigaddset(&waiting, SIGUSR2);
  sigprocmask(SIG_BLOCK, &usual, NULL);
  for (int i = 0; i < 5; ++i) {
    if (((int (*)(void))code)() != 42) return 2;
    raise(SIGUSR1);
    sigsuspend(&waiting);
    printf("%d in the handler:%s;", times, Blocked(&in_handler));
    printf(" in its frame:%s;", Blocked(&in_frame));
    sigprocmask(SIG_BLOCK, NULL, &now);
    printf(" behind:%s\n", Blocked(&now));
  }
  puts("END");
  return 0;
}
