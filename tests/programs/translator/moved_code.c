// Code that goes away and comes back: mprotect of the program's own functions, mremap of code, munmap and other code
// at the same address, two mappings of one page, and MAP_FIXED over code.
#include "program.h"
#include "returns.h"

#include <setjmp.h>
#include <signal.h>
#include <sys/mman.h>

static sigjmp_buf out;
static void OnFault(int sig) { siglongjmp(out, sig); }

static unsigned char* Fresh(void* where, int value) {
  unsigned char* page = mmap(where, 4096, PROT_READ | PROT_WRITE,
                             MAP_PRIVATE | MAP_ANONYMOUS | (where != NULL ? MAP_FIXED : 0), -1, 0);
  Returns(page, value);
  mprotect(page, 4096, PROT_READ | PROT_EXEC);
  return page;
}
static int Calls(const unsigned char* at) {
  const int sig = sigsetjmp(out, 1);
  return sig != 0 ? -sig : ((Function)(void*)at)();
}

__attribute__((aligned(4096), noinline)) static int Own(int x) { return x * 5 + 1; }
__attribute__((aligned(4096), noinline)) static int Other(int x) { return x + 1000; }

int main(void) {
  signal(SIGSEGV, OnFault);
  unsigned char* page = Fresh(NULL, 11);
  printf("%d %d\n", Calls(page), Calls(page));
  munmap(page, 4096);
  printf("%d\n", Calls(page));
  Fresh(page, 22);
  printf("%d\n", Calls(page));
  Fresh(page, 33);  // over it
  printf("%d\n", Calls(page));
  mprotect(page, 4096, PROT_READ);
  printf("%d\n", Calls(page));
  mprotect(page, 4096, PROT_READ | PROT_EXEC);
  printf("%d\n", Calls(page));
  unsigned char* place = mmap(NULL, 8192, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  unsigned char* moved = mremap(page, 4096, 4096, MREMAP_MAYMOVE | MREMAP_FIXED, place);
  printf("%d %d %d\n", moved == place, Calls(moved), Calls(page));
  Fresh(page, 44);
  printf("%d %d\n", Calls(moved), Calls(page));
  unsigned char* two = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  unsigned char* view = mremap(two, 0, 4096, MREMAP_MAYMOVE);  // the same page a second time
  if (view != MAP_FAILED && mprotect(view, 4096, PROT_READ | PROT_EXEC) == 0) {
    for (int i = 50; i < 54; ++i) {
      Returns(two, i);
      printf("%d\n", Calls(view));
    }
  }
  int x = Own(1) + Other(2);
  mprotect((void*)Other, 4096, PROT_NONE);
  x += Own(3);
  mprotect((void*)Other, 4096, PROT_READ | PROT_EXEC);
  printf("%d\n", x + Other(4));
  End();
  return 0;
}
