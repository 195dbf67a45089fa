// Code in memory that is writable and executable at one time: changed before each call, changed while it runs (the
// next instructions and the loop it is in), and overwritten by rep movs and by
// system calls: read() from a pipe and from a file, getrandom(), and calls of the code itself.
#include "program.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>

static unsigned char* code;

static int Run(const unsigned char* bytes, size_t size, int x) {
  memcpy(code, bytes, size);
  return ((int (*)(int, unsigned char*))(void*)code)(x, code);
}

int main(void) {
  code = mmap(NULL, 8192, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (code == MAP_FAILED) return 2;
  long sum = 0;
  // mov $i,%eax; add %edi,%eax; ret, with another i each time
  unsigned char plain[] = {0xb8, 0, 0, 0, 0, 0x01, 0xf8, 0xc3};
  for (int i = 0; i < 40; ++i) {
    plain[1] = (unsigned char)i;
    sum += Run(plain, sizeof plain, i * 3);
  }
  printf("%ld\n", sum);
  // Changes the operand of its own next instruction: movb $77,8(%rsi); mov $1,%eax; ret
  static const unsigned char next[] = {0xc6, 0x46, 0x05, 77, 0xb8, 1, 0, 0, 0, 0xc3};
  printf("%d\n", Run(next, sizeof next, 0));
  // A loop that increments the operand of its own addition: mov $20,%ecx; xor %eax,%eax;
  // 1: add $1,%eax (imm8 at 9); incb 9(%rsi); dec %ecx; jnz 1b; ret
  static const unsigned char loop[] = {0xb9, 20, 0, 0, 0, 0x31, 0xc0, 0x83, 0xc0, 1,   0xfe,
                                       0x46, 9,  0xff, 0xc9, 0x75, 0xf6, 0xc3};
  printf("%d\n", Run(loop, sizeof loop, 0));
  printf("%d\n", Run(loop, sizeof loop, 0));
  // A function over the page's end, of which the second page changes.
  unsigned char* at = code + 4096 - 3;
  static const unsigned char over[] = {0xb8, 5, 0, 0, 0, 0x83, 0xc0, 9, 0xc3};
  memcpy(at, over, sizeof over);
  sum = ((int (*)(void))(void*)at)();
  at[7] = 100;
  sum += 1000 * ((int (*)(void))(void*)at)();
  printf("%ld\n", sum);
  // Written by the kernel.
  int ends[2];
  if (pipe(ends) != 0) return 3;
  plain[1] = 99;
  if (write(ends[1], plain, sizeof plain) != sizeof plain) return 3;
  Run(over, sizeof over, 0);
  if (read(ends[0], code, sizeof plain) != sizeof plain) return 3;
  printf("%d\n", ((int (*)(int))(void*)code)(1));
  // The same from a file, and a name that a call of the code's own writes beside it: mov $79,%eax; syscall; ret (getcwd).
  const int self = open("/proc/self/exe", O_RDONLY);
  const int file = self >= 0 ? self : open("/dev/zero", O_RDONLY);
  const ssize_t got = pread(file, code + 64, 4, 0);
  printf("%d %d\n", got == 4, ((int (*)(int))(void*)code)(2));
  static const unsigned char calls[] = {0xb8, 79, 0, 0, 0, 0x0f, 0x05, 0xc3};
  memcpy(code + 200, calls, sizeof calls);
  for (int i = 0; i < 3; ++i) {
    const int length = ((int (*)(unsigned char*, size_t))(void*)(code + 200))(code + 300 + i, 500);
    printf("%d\n", length > 1 && code[300 + i] == '/' && length == (int)strlen((char*)code + 300 + i) + 1);
  }
  int* const volatile nowhere = (int*)8;
  errno = 0;
  printf("%d %d\n", (int)read(ends[0], nowhere, 0), pipe(nowhere));
  printf("%d\n", errno == EFAULT);
  End();
  return 0;
}
