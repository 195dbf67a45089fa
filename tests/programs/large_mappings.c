// Prints where the kernel puts mappings of less, exactly and more than a huge page, of memory, of a file and of code, and
// where mremap moves one; and whether the call leaves its arguments in their registers.
// Tally: OK when counted, at the same addresses on every kernel and file system; natively OK too, with this machine's.
#include "program.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/syscall.h>

// The call itself, without a C library that might set its registers again.
static long Call(long number, long a, long b, long c, long d, long e, long f) {
  long result = number;
  long rdi = a;
  unsigned long flags = 0;
  register long r10 __asm__("r10") = d;
  register long r8 __asm__("r8") = e;
  register long r9 __asm__("r9") = f;
  __asm__ volatile("syscall\n\tmovq %%r11, %5"
                   : "+a"(result), "+D"(rdi), "+r"(r10), "+r"(r8), "+r"(r9), "=&r"(flags)
                   : "S"(b), "d"(c)
                   : "rcx", "r11", "memory");
  if ((flags & 0x100) != 0) printf("a trap flag that is not the program's: ");
  if (rdi != a || r10 != d || r8 != e || r9 != f) printf("the arguments are not as they were: ");
  return result;
}

static char* Map(const char* what, long size, int rights, int flags, int file) {
  const long result = Call(SYS_mmap, 0, size, rights, flags, file, 0);
  printf("%s of %ld KiB: %lx\n", what, size >> 10, (unsigned long)result);
  return (char*)result;  // NOLINT: an address
}

static char* Move(const char* what, char* mapping, long size, long new_size) {
  const long result = Call(SYS_mremap, (long)mapping, size, new_size, MREMAP_MAYMOVE, 0, 0);
  printf("%s to %ld KiB: %lx\n", what, new_size >> 10, (unsigned long)result);
  return (char*)result;  // NOLINT: an address
}

int main(void) {
  const long kMiB = 1 << 20;
  const int kMemory = MAP_PRIVATE | MAP_ANONYMOUS;
  setvbuf(stdout, NULL, _IONBF, 0);
  Map("memory", 2 * kMiB - 4096, PROT_READ | PROT_WRITE, kMemory, -1);
  char* const two = Map("memory", 2 * kMiB, PROT_READ | PROT_WRITE, kMemory, -1);
  char* const more = Map("memory", 4 * kMiB + 4096, PROT_READ | PROT_WRITE, kMemory, -1);
  char* const code = Map("code", 3 * kMiB, PROT_READ | PROT_WRITE | PROT_EXEC, kMemory, -1);
  Map("shared memory", 4 * kMiB, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1);
  const int file = open("/dev/zero", O_RDONLY);
  char* const mapped_file = Map("file", 5 * kMiB, PROT_READ, MAP_PRIVATE, file);
  more[0] = 1;
  char* const moved = Move("grown", more, 4 * kMiB + 4096, 9 * kMiB);
  printf("its first byte: %d\n", moved[0]);
  munmap(two, 2 * kMiB);
  munmap(mapped_file, 5 * kMiB);
  Move("grown where it is", moved, 9 * kMiB, 10 * kMiB);
  code[3 * kMiB - 1] = (char)0xc3;                           // ret
  ((void (*)(void))(void*)(code + 3 * kMiB - 1))();          // NOLINT: an address
  printf("code: returned\n");
  Map("what has room above all else only", 1L << 46, PROT_READ, kMemory | MAP_NORESERVE, -1);
  Map("too much", -1L << 12, PROT_READ, kMemory, -1);
  return 0;
}
