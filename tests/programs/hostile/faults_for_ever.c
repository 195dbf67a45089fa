// Tries: to stand still and burn at once: a handler that returns to the instruction that faults, for every kind of fault, on its own
//   stack, nested in itself, with a fault in the handler's first instruction.
// Kernel: a fault with a handler is a signal each time, and the time of both is the program's.
// Stopped by: limits on CPU time; a fault that comes while its signal is blocked ends the program.
// Run: time=0.2 -- segv => TLE
// Run: time=0.2 -- fpe => TLE
// Run: time=0.2 -- ill => TLE
// Run: time=0.2 -- trap => TLE
// Run: time=0.2 -- bus => TLE
// Run: time=0.2 -- protect => TLE
// Run: time=0.2 -- execute => TLE
// Run: time=0.2 -- jump => TLE OK
// Run: time=0.4 memory=32M -- nested => MLE RE TLE
// Run: -- blocked => RE
#define _GNU_SOURCE
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static const char* how;
static volatile int* volatile nowhere = (int*)16;
static int is(const char* name) { return strcmp(how, name) == 0; }
static sigjmp_buf back;
static char* page;

static void handler(int number) {
  (void)number;
  if (is("nested") || is("blocked")) *nowhere = 1;
  if (is("jump")) siglongjmp(back, 1);
  if (is("protect")) mprotect(page, 4096, PROT_READ);
}
// Behind int3 the program goes on: again.
static void again(int number, siginfo_t* info, void* context) {
  (void)number, (void)info;
  ((uint64_t*)context)[21] -= 1;
}

int main(int argc, char** argv) {
  how = argc > 1 ? argv[1] : "segv";
  const int signals[] = {SIGSEGV, SIGFPE, SIGILL, SIGBUS};
  for (int i = 0; i < 4; ++i) sigaction(signals[i], &(struct sigaction){.sa_handler = handler, .sa_flags = is("nested") ? SA_NODEFER : 0}, NULL);
  sigaction(SIGTRAP, &(struct sigaction){.sa_sigaction = again, .sa_flags = SA_SIGINFO}, NULL);
  page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (is("jump")) sigsetjmp(back, 1);
  if (is("fpe")) __asm__ volatile("xorl %%ecx, %%ecx; divl %%ecx" : : : "eax", "ecx", "edx", "cc");
  if (is("ill")) __asm__ volatile("ud2");
  if (is("trap")) __asm__ volatile("int3");
  if (is("protect")) mprotect(page, 4096, PROT_READ), *(volatile char*)page = 1;
  if (is("execute")) ((void (*)(void))(uintptr_t)page)();
  if (is("bus")) {
    char* const p = mmap(NULL, 1 << 21, PROT_READ, MAP_PRIVATE, open(argv[0], O_RDONLY), 0);
    return ((volatile char*)p)[(1 << 21) - 1];
  }
  *nowhere = 1;
  return 0;
}
