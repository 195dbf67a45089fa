// Tries: to go on from a signal where nothing was: the handler changes rip, rsp, flags and segments of the frame, or stands
//   on a stack that is too small, unmapped or the one it interrupts.
// Kernel: rt_sigreturn(2) takes whatever the handler left; a frame that cannot be written is SIGSEGV.
// Stopped by: a handler's frame holds the program's own addresses, and what comes back is looked up anew (guest_signals.cc).
// Run: same -- skip => OK
// Run: same -- trap => OK RE
// Run: only=native -- segments => RE OK
// Run: only=translated -- segments => RE OK RV
// Run: same -- nostack => RE
// Run: same -- tiny => RE OK
// Run: same -- kernel => RE
// Run: same -- nested => OK RE
// Run: same -- ignored => RE
// Run: same -- blocked => RE
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

static const char* how;
static volatile int depth;
static int is(const char* name) { return strcmp(how, name) == 0; }

static void handler(int number, siginfo_t* info, void* context) {
  (void)info;
  greg_t* const r = ((ucontext_t*)context)->uc_mcontext.gregs;
  if (number == SIGTRAP) {
    r[REG_EFL] &= ~0x100;
    return;
  }
  r[REG_RIP] += 2;  // behind ud2
  if (is("trap")) r[REG_EFL] |= 0x100;
  if (is("segments")) r[REG_CSGSFS] = 0x1234567812345678;
  if (is("kernel")) r[REG_RIP] = (greg_t)0xffffffff81000000;
  if (is("nested") && ++depth < 1000) __asm__ volatile("ud2");
}

int main(int argc, char** argv) {
  how = argc > 1 ? argv[1] : "skip";
  setvbuf(stdout, NULL, _IONBF, 0);
  static char stack[16384];
  stack_t alternate = {.ss_sp = stack, .ss_size = is("tiny") ? 3000 : sizeof stack};
  if (is("nostack")) alternate.ss_sp = mmap(NULL, 65536, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  sigaltstack(&alternate, NULL);
  struct sigaction action = {.sa_sigaction = handler, .sa_flags = SA_SIGINFO | SA_NODEFER | SA_ONSTACK};
  sigaction(SIGTRAP, &action, NULL);
  sigaction(SIGILL, &action, NULL);
  if (is("ignored")) signal(SIGILL, SIG_IGN);
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGILL);
  if (is("blocked")) sigprocmask(SIG_BLOCK, &set, NULL);
  puts("begins");
  __asm__ volatile("ud2");
  puts("END");
  return 0;
}
