// Tries: to have a handler entered where no code is: at 0, in data, in the kernel, in the middle of an instruction, in a page that is
//   gone; and to leave one by a restorer that is none.
// Kernel: rt_sigaction(2) takes any address and asks nothing of it; the first instruction faults, with the frame on the stack.
// Stopped by: a handler's address is looked up like any other target of the program's, and faults there.
// Run: same -- zero => RE
// Run: same -- data => RE
// Run: same -- kernel => RE
// Run: same -- noncanonical => RE
// Run: same -- gone => RE
// Run: same -- middle => OK
// Run: same -- restorer => RE
// Run: same -- norestorer => RE
// Run: same -- itself => RE
#define _GNU_SOURCE
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

static int is(const char* a, const char* b) { return strcmp(a, b) == 0; }
struct action {
  uint64_t handler, flags, restorer, mask;
};

int main(int argc, char** argv) {
  const char* const how = argc > 1 ? argv[1] : "zero";
  setvbuf(stdout, NULL, _IONBF, 0);
  static uint8_t data[64] = {0xc3};
  uint8_t* const code = mmap(NULL, 8192, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  // mov $0xc3, %eax, whose second byte is a ret; behind it at 16: mov $15, %eax; syscall
  memcpy(code, "\xb8\xc3\0\0\0\xc3", 6);
  memcpy(code + 16, "\xb8\x0f\0\0\0\x0f\x05", 7);
  struct action action = {(uint64_t)(uintptr_t)code + 5, 0x04000000, (uint64_t)(uintptr_t)code + 16, 0};
  if (is(how, "zero")) action.handler = 16;
  if (is(how, "data")) action.handler = (uint64_t)(uintptr_t)data;
  if (is(how, "kernel")) action.handler = 0xffffffff81000000;
  if (is(how, "noncanonical")) action.handler = 0x8000000000000000;
  if (is(how, "gone")) action.handler = (uint64_t)(uintptr_t)code + 4096, munmap(code + 4096, 4096);
  if (is(how, "middle")) action.handler = (uint64_t)(uintptr_t)code + 1;
  if (is(how, "restorer")) action.restorer = 0x1234;
  if (is(how, "norestorer")) action.flags = 0, action.restorer = 0;
  syscall(SYS_rt_sigaction, SIGALRM, &action, NULL, 8);
  if (is(how, "itself")) {
    action.handler = 0x10;
    syscall(SYS_rt_sigaction, SIGSEGV, &action, NULL, 8);
    syscall(SYS_rt_sigaction, SIGALRM, &action, NULL, 8);
  }
  puts("waits");
  sigset_t alarm_only, none;
  sigemptyset(&none);
  sigemptyset(&alarm_only);
  sigaddset(&alarm_only, SIGALRM);
  sigprocmask(SIG_BLOCK, &alarm_only, NULL);  // it may come before we wait
  ualarm(1000, 0);
  sigsuspend(&none);
  puts("came back");
  return 0;
}
