// Tries: to confuse who follows two tasks on one stack: a vfork's child that returns from its caller, writes its parent's variables,
//   unmaps, makes code, faults, ends its parent's threads or is killed.
// Kernel: until it executes or ends, the child has its parent's memory and stack, and the parent waits in the kernel.
// Stopped by: what the translator knows belongs to an address space; the parent goes on where the child left the memory.
// Run: same processes=2 -- variables => OK
// Run: same processes=2 -- code => OK
// Run: same processes=2 -- fault => OK
// Run: same processes=2 -- killed => OK
// Run: same processes=2 -- exec => OK
// Run: same processes=2 -- noexec => OK
// Run: same processes=3 -- twice => OK
#define _GNU_SOURCE
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile int* volatile nowhere = (int*)16;
static int is(const char* a, const char* b) { return strcmp(a, b) == 0; }

int main(int argc, char** argv) {
  const char* const how = argc > 1 ? argv[1] : "variables";
  setvbuf(stdout, NULL, _IONBF, 0);
  static volatile int shared = 1;
  static uint8_t* volatile code;
  if (is(how, "after")) return 7;
  for (int i = 0; i < 20; ++i) {
    const pid_t child = vfork();
    if (child == 0) {
      shared += 1;
      if (is(how, "code")) {
        code = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        memcpy(code, "\xb8\x05\0\0\0\xc3", 6);
        shared += ((int (*)(void))(uintptr_t)code)();
      }
      if (is(how, "fault")) *nowhere = 1;
      if (is(how, "killed")) kill(getpid(), SIGKILL);
      if (is(how, "exec")) execl(argv[0], argv[0], "after", NULL);
      if (is(how, "noexec")) execl("/nowhere", "nowhere", NULL);
      if (is(how, "twice") && vfork() == 0) shared += 10, _exit(1);
      _exit(3);
    }
    int status = 0;
    waitpid(child, &status, 0);
    const int value = code == NULL ? 0 : ((int (*)(void))(uintptr_t)code)();
    printf("%d %x %d\n", shared, status & 0xff7f, value);
  }
  return 0;
}
