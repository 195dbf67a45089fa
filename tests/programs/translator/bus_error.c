// SIGBUS beyond the end of a mapped file, mended by a handler that maps memory there, and SIGBUS by alignment check.
#include "program.h"

#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>

static volatile int errors;
static char* volatile block;
static sigjmp_buf out;
static void Maps(int sig, siginfo_t* info, void* context) {
  (void)sig, (void)context;
  ++errors;
  char* page = (char*)((long)info->si_addr & -4096);
  if (mmap(page, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) != page) _exit(2);
}
static void Leaves(int sig) { siglongjmp(out, sig); }

int main(int argc, char** argv) {
  struct sigaction action = {.sa_sigaction = Maps, .sa_flags = SA_SIGINFO};
  sigaction(SIGBUS, &action, NULL);
  const int file = open(argv[0], O_RDONLY);  // any file will do
  struct stat status;
  if (argc < 1 || file < 0 || fstat(file, &status) != 0) return 2;
  const long size = (status.st_size + 4095) & -4096;
  block = mmap(NULL, (size_t)size + 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE, file, 0);
  block[10] = 1;
  block[size + 100] += 2;
  printf("%d %d\n", errors, block[size + 100]);
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
