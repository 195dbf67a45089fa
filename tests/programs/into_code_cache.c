// Goes, by argv[1], to an address at which an engine that translates keeps its own code: by a jump, a call, a return, a
// signal handler's address, a changed signal context, or by running off the end of its own code. There a system call
// lies ready; what it would execute nobody counts.
// Nothing is mapped there natively.
// Tally: RE (signal 11); translated: RV ("jump to").
#include "program.h"

#include <signal.h>
#include <sys/mman.h>
#include <ucontext.h>

static void* const kThere = (void*)0x70000000;

static void ChangeContext(int sig, siginfo_t* info, void* context) {
  (void)sig, (void)info;
  ((ucontext_t*)context)->uc_mcontext.gregs[REG_RIP] = (greg_t)kThere;
}

// One instruction (nop) at the end of the page before.
static void RunOff(void) {
  char* page = mmap((char*)kThere - 4096, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
  page[4095] = (char)0x90;
  ((void (*)(void))(page + 4095))();
}

int main(int argc, char** argv) {
  const char* how = argc > 1 ? argv[1] : "jump";
  printf("try %s\n", how);
  fflush(stdout);
  if (strcmp(how, "jump") == 0) __asm__ volatile("jmp *%0" : : "r"(kThere), "a"(39L));
  if (strcmp(how, "call") == 0) __asm__ volatile("call *%0" : : "m"(kThere), "a"(39L) : "rcx", "r11", "memory");
  if (strcmp(how, "return") == 0) __asm__ volatile("push %0\n ret" : : "r"(kThere), "a"(39L));
  if (strcmp(how, "handler") == 0) {
    signal(SIGUSR1, (void (*)(int))kThere);
    raise(SIGUSR1);
  }
  if (strcmp(how, "context") == 0) {
    struct sigaction action = {.sa_sigaction = ChangeContext, .sa_flags = SA_SIGINFO};
    sigaction(SIGUSR1, &action, NULL);
    raise(SIGUSR1);
  }
  if (strcmp(how, "runs_off") == 0) RunOff();
  End();
  return 0;
}
