// Tries: to have a signal's frame written where it does not fit: alternate stacks that are too small, in code, in the kernel, at the end
//   of the address space, unmapped while they are used, the same for every thread, disarmed.
// Kernel: sigaltstack(2) takes any address and asks only for a size; the frame is written with the program's own rights.
// Stopped by: a frame that cannot be written is SIGSEGV; the frame of a translated program is written by the same rules.
// Run: same -- good => OK
// Run: same -- small => OK RE
// Run: same -- code => OK
// Run: same -- kernel => RE
// Run: same -- end => RE
// Run: same -- gone => RE
// Run: same -- readonly => RE
// Run: same -- disarm => OK
// Run: same -- nested => OK
#define _GNU_SOURCE
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

static const char* how;
static int is(const char* name) { return strcmp(how, name) == 0; }
static char* area;
static volatile int entered;

static void handler(int number) {
  char local;
  const int inside = &local >= area && &local < area + 65536;
  ++entered;
  (void)!write(1, inside ? "on it\n" : "elsewhere\n", inside ? 6 : 10);
  if (is("gone")) munmap(area, 65536);
  stack_t other = {.ss_sp = area + 65536, .ss_flags = 0, .ss_size = 65536};
  if (entered == 1 && (is("nested") || is("disarm"))) {
    (void)!write(1, sigaltstack(&other, NULL) == 0 ? "changed\n" : "refused\n", 8);
    if (is("nested")) __asm__ volatile("ud2");
  }
  if (number == SIGILL) {
    signal(SIGILL, SIG_DFL);
    _exit(0);
  }
}

int main(int argc, char** argv) {
  how = argc > 1 ? argv[1] : "good";
  area = mmap(NULL, 1 << 18, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  stack_t stack = {.ss_sp = area, .ss_flags = is("disarm") ? (int)(1U << 31) : 0, .ss_size = 65536};
  if (is("small")) stack.ss_size = 2048;
  if (is("kernel")) stack.ss_sp = (void*)0xffffffff81000000;
  if (is("end")) stack.ss_sp = (void*)0x7ffffffff000;
  if (is("code")) {
    mprotect(area, 65536, PROT_READ | PROT_WRITE | PROT_EXEC);
    memset(area, 0xc3, 65536);
    ((void (*)(void))(uintptr_t)(area + 65000))();
  }
  if (is("readonly")) mprotect(area, 65536, PROT_READ);
  const int refused = sigaltstack(&stack, NULL) != 0;
  (void)!write(1, refused ? "no\n" : "yes\n", refused ? 3 : 4);
  const struct sigaction action = {.sa_handler = handler, .sa_flags = SA_ONSTACK | SA_NODEFER};
  sigaction(SIGALRM, &action, NULL);
  sigaction(SIGILL, &action, NULL);
  sigset_t alarm_only, none;
  sigemptyset(&none);
  sigemptyset(&alarm_only);
  sigaddset(&alarm_only, SIGALRM);
  sigprocmask(SIG_BLOCK, &alarm_only, NULL);  // it may come before we wait
  ualarm(1000, 0);
  sigsuspend(&none);
  return refused ? 3 : 0;
}
