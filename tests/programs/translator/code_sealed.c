// A copy of a file with code, which may be written at first, and no more later. Between, something is written beside a function that was executed,
// which is not executed again unless there is an argument.
#include "program.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

enum { kPage = 4096 };
extern const char __executable_start[];
extern unsigned kFirst(unsigned), kSecond(unsigned);
extern const char kBeside[];

// The sum from 1 to edi, twice; and enough code to be worth a file.
__asm__(
    ".text\n"
    ".p2align 12\n"
    ".macro SUM name\n"
    "\\name: xor %eax, %eax\n"
    ".rept 60\n lea 1(%rax,%rdi), %rcx\n .endr\n"
    "1: add %edi, %eax\n"
    "dec %edi\n"
    "jnz 1b\n"
    "ret\n"
    ".endm\n"
    "SUM kFirst\n"
    "kBeside: nop\n"
    "SUM kSecond\n");

static const char* InCopy(const char* copy, const void* address) { return copy + ((const char*)address - __executable_start); }

static unsigned Execute(const char* copy, unsigned (*function)(unsigned)) {
  unsigned sum = 0;
  for (unsigned i = 1; i <= 100; ++i) sum += ((unsigned (*)(unsigned))(const void*)InCopy(copy, (const void*)function))(i);
  return sum;
}

int main(int argc, char** argv) {
  const int file = open(argv[0], O_RDONLY);
  struct stat status;
  if (file < 0 || fstat(file, &status) != 0) return 2;
  const size_t size = (size_t)status.st_size / kPage * kPage + kPage;
  char* const copy = mmap(NULL, size, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE, file, 0);
  printf("%u\n", Execute(copy, kFirst));
  *(volatile char*)InCopy(copy, kBeside) = *kBeside;
  mprotect(copy, size, PROT_READ | PROT_EXEC);
  printf("%u\n", Execute(copy, kSecond));
  if (argc > 1) printf("%u\n", Execute(copy, kFirst));
  End();
  return 0;
}
