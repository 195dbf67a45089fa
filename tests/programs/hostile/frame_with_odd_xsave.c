// Tries: to make the kernel or the judge load a processor state that cannot be: a handler changes the header, the features, the size
//   and the control words of its frame's extended state, and moves it, and returns.
// Kernel: rt_sigreturn(2) restores that state from the user's memory and must expect anything there (arch/x86/kernel/fpu/signal.c).
// Stopped by: the kernel refuses what the processor would, by SIGSEGV, or starts from the initial state.
// Run: same -- bits => RE
// Run: same -- compact => RE
// Run: same -- magic => OK
// Run: same -- end => OK
// Run: same -- size => OK RE
// Run: same -- mxcsr => RE OK
// Run: same -- null => OK
// Run: same -- odd => RE OK
// Run: same -- kernel => RE
// Run: same -- nothing => OK
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <ucontext.h>
#include <unistd.h>

static const char* how;
static int is(const char* name) { return strcmp(how, name) == 0; }

static void handler(int number, siginfo_t* info, void* context) {
  (void)number, (void)info;
  ucontext_t* const frame = context;
  uint8_t* const state = (uint8_t*)frame->uc_mcontext.fpregs;
  static uint8_t copy[16384] __attribute__((aligned(64)));
  uint32_t* const words = (uint32_t*)state;
  if (is("bits")) memset(state + 512, 0xff, 8);                  // XSTATE_BV: every feature there is and is not
  if (is("compact")) memset(state + 520, 0xff, 8);               // XCOMP_BV
  if (is("magic")) words[464 / 4] = 0;                           // no extended state
  if (is("end")) memset(state + words[464 / 4 + 1] - 4, 0, 4);   // where it says it ends, it does not
  if (is("size")) words[464 / 4 + 4] = 1 << 30;                  // xstate_size
  if (is("mxcsr")) words[24 / 4] = 0xffffffff;
  if (is("nothing")) memset(state + 512, 0, 8);                  // all features in their initial state
  memcpy(copy + 1, state, 2048);
  if (is("odd")) frame->uc_mcontext.fpregs = (void*)(copy + 1);
  if (is("null")) frame->uc_mcontext.fpregs = NULL;
  if (is("kernel")) frame->uc_mcontext.fpregs = (void*)0xffffffff81000000;
}

int main(int argc, char** argv) {
  how = argc > 1 ? argv[1] : "bits";
  sigaction(SIGALRM, &(struct sigaction){.sa_sigaction = handler, .sa_flags = SA_SIGINFO}, NULL);
  sigset_t alarm_only, none;
  sigemptyset(&none);
  sigemptyset(&alarm_only);
  sigaddset(&alarm_only, SIGALRM);
  sigprocmask(SIG_BLOCK, &alarm_only, NULL);  // it may come before we wait
  ualarm(1000, 0);
  sigsuspend(&none);
  printf("came back\n");
  return 0;
}
