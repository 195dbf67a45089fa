// Rights of code that change in part: a change that comes to a page that is not there has changed those before; a mapping that moves leaves
// another in its place; the rights of a mapping that grows downwards change to its beginning.
#define _GNU_SOURCE
#include "program.h"

#include <setjmp.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>

enum { kPage = 4096 };

static sigjmp_buf fault;

static void OnFault(int signal) {
  (void)signal;
  siglongjmp(fault, 1);
}

static void Write(unsigned char* at, unsigned char result) {
  const unsigned char function[] = {0xb8, result, 0, 0, 0, 0xc3};  // mov $result,%eax; ret
  memcpy(at, function, sizeof function);
}

static int Call(unsigned char* at) {
  if (sigsetjmp(fault, 1) != 0) return -1;
  return ((int (*)(void))(void*)at)();
}

static int TryWrite(unsigned char* at, unsigned char result) {
  if (sigsetjmp(fault, 1) != 0) return -1;
  Write(at, result);
  return 0;
}

static unsigned char* Pages(int n, int rights) {
  unsigned char* at = mmap(NULL, (size_t)n * kPage, rights, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (at == MAP_FAILED) _exit(2);
  return at;
}

static void Change(const char* what, int first, int then, int hole) {
  unsigned char* at = Pages(4, PROT_READ | PROT_WRITE);
  Write(at, 1);
  munmap(at + (size_t)hole * kPage, kPage);
  mprotect(at, kPage, first);
  const int before = Call(at);
  const int result = mprotect(at, 4 * kPage, then);
  const int wrote = TryWrite(at, 2);
  printf("%s: %d, mprotect %d, write %d, %d\n", what, before, result, wrote, Call(at));
}

static void Stay(const char* what, int rights) {
  unsigned char* at = Pages(1, PROT_READ | PROT_WRITE);
  Write(at, 3);
  mprotect(at, kPage, rights);
  const int before = Call(at);
  unsigned char* to = (unsigned char*)syscall(SYS_mremap, at, kPage, kPage, MREMAP_MAYMOVE | MREMAP_DONTUNMAP, 0);
  if ((void*)to == MAP_FAILED) _exit(3);
  const int moved = Call(to);
  const int wrote = TryWrite(at, 4);
  printf("%s: %d, moved %d, write %d, %d and %d\n", what, before, moved, wrote, wrote == 0 ? Call(at) : 0, Call(to));
}

static void Grow(void) {
  unsigned char pages[4 * kPage];
  unsigned char* below = pages;
  unsigned char* here = pages + 3 * kPage;
  Write(below, 5);
  const int before = Call(below);
  const int result = mprotect((void*)((unsigned long)here & ~(kPage - 1UL)), kPage, PROT_READ | PROT_WRITE | PROT_EXEC | PROT_GROWSDOWN);
  printf("stack: %d, mprotect %d, %d\n", before, result, Call(below));
}

int main(void) {
  struct sigaction action = {.sa_handler = OnFault};
  sigaction(SIGSEGV, &action, NULL);
  Change("made writable, too", PROT_READ | PROT_EXEC, PROT_READ | PROT_WRITE | PROT_EXEC, 1);
  Change("no longer executable", PROT_READ | PROT_EXEC, PROT_READ | PROT_WRITE, 2);
  Change("made executable", PROT_READ | PROT_WRITE, PROT_READ | PROT_EXEC, 3);
  Change("nothing there", PROT_READ | PROT_EXEC, PROT_READ | PROT_WRITE, 0);
  Stay("writable code", PROT_READ | PROT_WRITE | PROT_EXEC);
  Stay("fixed code", PROT_READ | PROT_EXEC);
  Grow();
  End();
  return 0;
}
