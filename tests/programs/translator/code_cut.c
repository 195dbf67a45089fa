// Two copies of a file whose data lies in one segment with its code, as the dynamic linker maps such a library: all of it executable, and more
// than there is of the file, then what is data anew. The second copy lies right in front of the first.
#include "program.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

enum { kPage = 4096, kData = 4 * kPage };
extern const char __executable_start[], kFunction[], kFunctionEnd[];

// The sum from 1 to edi; and enough code to be worth a file.
__asm__(
    ".text\n"
    "kFunction: xor %eax, %eax\n"
    ".rept 60\n lea 1(%rax,%rdi), %rcx\n .endr\n"
    "1: add %edi, %eax\n"
    "dec %edi\n"
    "jnz 1b\n"
    "ret\n"
    "kFunctionEnd:\n");

static void Map(int file, char* at, size_t code) {
  mmap(at, code + kData, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_FIXED, file, 0);
  mprotect(at + code, kPage, PROT_NONE);
  mmap(at + code + kPage, kData - kPage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
}

static unsigned Execute(const char* copy) {
  const char* const function = copy + (kFunction - __executable_start);
  if (memcmp(function, kFunction, (size_t)(kFunctionEnd - kFunction)) != 0) return 0;
  unsigned sum = 0;
  for (unsigned i = 1; i <= 100; ++i) sum += ((unsigned (*)(unsigned))(const void*)function)(i);
  return sum;
}

int main(int argc, char** argv) {
  (void)argc;
  const int file = open(argv[0], O_RDONLY);
  struct stat status;
  if (file < 0 || fstat(file, &status) != 0) return 2;
  const size_t code = (size_t)status.st_size / kPage * kPage + kPage;
  char* const second = mmap(NULL, 2 * (code + kData), PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  char* const first = second + code + kData;
  Map(file, first, code);
  Map(file, second, code);
  printf("%u, %u\n", Execute(first), Execute(second));
  End();
  return 0;
}
