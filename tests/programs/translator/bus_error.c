// SIGBUS beyond the end of a mapped file, mended by a handler that lengthens the file, and SIGBUS by alignment check.
#include "program.h"

#include <setjmp.h>
#include <signal.h>
#include <sys/mman.h>

static int file, errors;
static sigjmp_buf out;
static void Lengthens(int sig, siginfo_t* info, void* context) {
  (void)sig, (void)info, (void)context;
  ++errors;
  if (ftruncate(file, 8192) != 0) _exit(2);
}
static void Leaves(int sig) { siglongjmp(out, sig); }

int main(void) {
  struct sigaction action = {.sa_sigaction = Lengthens, .sa_flags = SA_SIGINFO};
  sigaction(SIGBUS, &action, NULL);
  file = memfd_create("file", 0);
  if (file < 0 || ftruncate(file, 4096) != 0) return 2;
  volatile int* block = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  block[10] = 1;
  block[1500] += 2;
  printf("%d %d\n", errors, block[1500]);
  signal(SIGBUS, Leaves);
  static int aligned[2];
  if (sigsetjmp(out, 1) == 0) {
    __asm__ volatile(
        "pushfq\n orq $0x40000, (%%rsp)\n popfq\n"
        "movl 1(%0), %%eax\n"
        :
        : "r"(aligned)
        : "rax", "cc", "memory");
    puts("no error");
  }
  __asm__ volatile("pushfq\n andq $~0x40000, (%%rsp)\n popfq\n" ::: "cc", "memory");
  puts("left");
  End();
  return 0;
}
