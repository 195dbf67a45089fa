// Does, by argv[1], what would let code run that an engine which translates has not seen, or let the program find what
// the engine hides: goes to 32-bit code by a signal context or a far return, maps the vDSO anew, makes tagged addresses
// valid; reads the gs base after setting it.
// Tally: context and far RV ("getpid (i386)"), vdso and tags OK, translated: RV ("counter=translator does not"); gs OK.
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
  if (strcmp(how, "far") == 0) __asm__ volatile("push $0x23\n push $call_by_int80\n lretq\n");
  if (strcmp(how, "gs") == 0) {
    if (syscall(SYS_arch_prctl, ARCH_GET_GS, &base) != 0 || base != 0) puts("gs is not what it is at first");
    if (syscall(SYS_arch_prctl, ARCH_SET_GS, &base) != 0) puts("gs cannot be set");
    unsigned long found = 0;
    __asm__ volatile("movq %%gs:0, %0" : "=r"(found));
    if (syscall(SYS_arch_prctl, ARCH_GET_GS, &base) != 0 || base != (unsigned long)&base) puts("gs is not what was set");
    if (found != 0) puts("gs leads elsewhere");
  }
  if (strcmp(how, "vdso") == 0) TRY(how, syscall(SYS_arch_prctl, ARCH_MAP_VDSO_64, 0x30000000));
  if (strcmp(how, "tags") == 0) TRY(how, syscall(SYS_arch_prctl, 0x4002, 6));
  End();
  return 0;
}
