// Does, by argv[1], what would let code run that an engine which translates has not seen, or let the program find what
// the engine hides: makes itself 32-bit code in a signal context, maps the vDSO anew, asks for the gs base or sets it,
// makes tagged addresses valid.
// Tally: context RV ("getpid (i386)"), gs, vdso and tags OK; translated: RV ("counter=translator does not").
#include "program.h"

#include <asm/prctl.h>
#include <signal.h>
#include <sys/syscall.h>
#include <ucontext.h>

static void To32Bit(int sig, siginfo_t* info, void* context) {
  (void)sig, (void)info;
  greg_t* registers = ((ucontext_t*)context)->uc_mcontext.gregs;
  extern const char call_by_int80[];
  registers[REG_RIP] = (greg_t)call_by_int80;
  registers[REG_CSGSFS] = (registers[REG_CSGSFS] & ~0xffffLL) | 0x23;
}
__asm__("call_by_int80:\n mov $20, %eax\n int $0x80\n hlt\n");

int main(int argc, char** argv) {
  const char* how = argc > 1 ? argv[1] : "context";
  unsigned long base = 0;
  if (strcmp(how, "context") == 0) {
    struct sigaction action = {.sa_sigaction = To32Bit, .sa_flags = SA_SIGINFO};
    sigaction(SIGUSR1, &action, NULL);
    raise(SIGUSR1);
  }
  if (strcmp(how, "gs") == 0) TRY(how, syscall(SYS_arch_prctl, ARCH_GET_GS, &base));
  if (strcmp(how, "set_gs") == 0) TRY(how, syscall(SYS_arch_prctl, ARCH_SET_GS, &base));
  if (strcmp(how, "vdso") == 0) TRY(how, syscall(SYS_arch_prctl, ARCH_MAP_VDSO_64, 0x30000000));
  if (strcmp(how, "tags") == 0) TRY(how, syscall(SYS_arch_prctl, 0x4002, 6));
  End();
  return 0;
}
