// A function over the border of what is guarded at once, and a write behind the border in front of each call of it.
#include "program.h"

#include <sys/mman.h>

enum { kGuarded = 16 << 10, kNops = 46 };

int main(int argc, char** argv) {
  const int rounds = argc > 1 ? atoi(argv[1]) : 50;
  unsigned char* const all = mmap(NULL, 4 * kGuarded, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  unsigned char* const function = all + kGuarded - 40;
  memset(function, 0x90, kNops);
  memcpy(function + kNops, "\x8d\x47\x01\xc3", 4);  // lea 1(%rdi), %eax; ret
  int sum = 0;
  for (int i = 0; i < rounds; ++i) {
    all[kGuarded + 1000] = (unsigned char)i;
    sum = ((int (*)(int))(void*)function)(sum);
  }
  printf("%d\n", sum);
  End();
  return 0;
}
