// A signal whose frame finds no room on the stack becomes a SIGSEGV, which is handled on a stack of its own.
#define _GNU_SOURCE
#include "program.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static void Never(int signal) { _exit(signal); }

static void OnFault(int signal, siginfo_t* info, void* context) {
  (void)context;
  printf("signal %d, from the kernel: %d\n", signal, info->si_code == SI_KERNEL);
  End();
  exit(0);
}

int main(void) {
  static char stack[65536];
  const stack_t alternate = {.ss_sp = stack, .ss_size = sizeof stack};
  sigaltstack(&alternate, NULL);
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_sigaction = OnFault;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigaction(SIGSEGV, &action, NULL);
  memset(&action, 0, sizeof action);
  action.sa_handler = Never;
  sigaction(SIGUSR1, &action, NULL);
  const long self = getpid();
  __asm__ volatile(
      "mov $0x2000, %%rsp\n"
      "syscall\n"
      "ud2"
      :
      : "a"(SYS_kill), "D"(self), "S"((long)SIGUSR1)
      : "rcx", "r11", "memory");
  return 1;
}
