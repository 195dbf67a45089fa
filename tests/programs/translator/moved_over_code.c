// Two mappings and what lies between them, which is nothing, moved over code by one mremap. Since Linux 6.17 both move, and between them the code
// stays; before, that fails, and all of it stays.
#include "program.h"
#include "returns.h"

#include <setjmp.h>
#include <signal.h>
#include <sys/mman.h>

enum { kPage = 4096, kPages = 3 };
static sigjmp_buf out;
static void OnFault(int sig) { siglongjmp(out, sig); }

static int Calls(const unsigned char* at) {
  const int sig = sigsetjmp(out, 1);
  return sig != 0 ? -sig : ((Function)(void*)at)();
}

static unsigned char* Code(int first) {
  unsigned char* const code = mmap(NULL, kPages * kPage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  for (int i = 0; i < kPages; ++i) Returns(code + i * kPage, first + i);
  mprotect(code, kPages * kPage, PROT_READ | PROT_EXEC);
  return code;
}

static void Call(const unsigned char* code) {
  for (int i = 0; i < kPages; ++i) printf(" %d", Calls(code + i * kPage));
}

int main(void) {
  signal(SIGSEGV, OnFault);
  unsigned char* const over = Code(10);
  unsigned char* const moved = Code(20);
  mprotect(moved, kPage, PROT_READ | PROT_WRITE);
  munmap(moved + kPage, kPage);
  printf("before:");
  Call(over);
  Call(moved);
  const int done = mremap(moved, kPages * kPage, kPages * kPage, MREMAP_MAYMOVE | MREMAP_FIXED, over) == over;
  printf("\n%s:", done ? "moved" : "refused");
  Call(over);
  Call(moved);
  printf("\n");
  End();
  return 0;
}
