// Tries: memory by its stack: without end, in one leap over the guard pages, on an alternate stack after an overflow, in arguments
//   and variables handed to itself again and again.
// Kernel: the stack grows by faults near it, up to RLIMIT_STACK, and no call asks for it.
// Stopped by: stack pages count as memory; a full stack is MLE and a leap beyond it a signal.
// Run: memory=32M -- recursion => MLE RE
// Run: memory=32M -- leap => OK MLE RE
// Run: memory=32M -- handler => MLE RE
// Run: memory=32M processes=2 -- arguments => OK MLE RE
// Run: memory=32M processes=2 -- environment => OK MLE
// Run: memory=32M -- below => OK
#include <alloca.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int is(const char* a, const char* b) { return strcmp(a, b) == 0; }

__attribute__((noinline)) static int deeper(int left) {
  volatile char room[1 << 16];
  for (unsigned i = 0; i < sizeof room; i += 4096) room[i] = (char)left;
  const int below = left == 0 ? 0 : deeper(left - 1);
  return below + room[4096];
}
static void handler(int number) {
  (void)number;
  deeper(1 << 20);
}

int main(int argc, char** argv) {
  const char* const how = argc > 1 ? argv[1] : "recursion";
  if (is(how, "recursion")) return deeper(1 << 20) != 1;
  if (is(how, "below")) return deeper(64) == -1;
  if (is(how, "leap")) {
    volatile char* const far = (char*)__builtin_frame_address(0) - (20L << 20);
    *far = 1;  // the kernel makes one page here, and none in between
    return 0;
  }
  if (is(how, "handler")) {
    static char other[1 << 16];
    sigaltstack(&(stack_t){.ss_sp = other, .ss_size = sizeof other}, NULL);
    sigaction(SIGSEGV, &(struct sigaction){.sa_handler = handler, .sa_flags = SA_ONSTACK | SA_NODEFER}, NULL);
    return deeper(1 << 20) != 1;
  }
  const int count = argc > 2 ? atoi(argv[2]) : 1;
  if (count > 40) return 0;
  char* const large = malloc(100000 * 41);
  char *arguments[64] = {argv[0], argv[1], NULL}, *variables[64] = {NULL}, number[16];
  snprintf(number, sizeof number, "%d", count + 8);
  arguments[2] = number;
  for (int i = 0; i < count; ++i) {
    char* const one = large + i * 100000;
    memset(one, 'v', 99998);
    one[99999] = 0;
    if (is(how, "arguments")) arguments[3 + i] = one;
    else variables[i] = one;
  }
  execve(argv[0], arguments, variables);
  return 0;
}
