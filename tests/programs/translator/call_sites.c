// More places that are returned to than narrow tables hold (control_area.h), with flags that are needed behind the call too, and
// calls through a pointer.
#include "program.h"

// The sign of what it adds is in the flags when it returns.
__asm__(
    "add_and_test:\n"
    "  lea 1(%rdi), %rax\n"
    "  add %rsi, %rax\n"
    "  test %rsi, %rsi\n"
    "  ret\n");

#define ONE                                                 \
  "  mov %%rax, %%rdi\n"                                    \
  "  call add_and_test\n"                                   \
  "  js 1f\n"                                               \
  "  inc %%rcx\n"                                           \
  "1:\n"                                                    \
  "  mov %%rax, %%rdi\n"                                    \
  "  call *%%rdx\n"                                         \
  "  xor %%rsi, %%rax\n"

int main(void) {
  long sum = 0, positive = 0;
  for (int round = 0; round < 2; ++round) {
    long add = round == 1 ? -3 : 5;
    __asm__ volatile(
        "  sub $128, %%rsp\n"
        "  lea add_and_test(%%rip), %%rdx\n"
        ".rept 2500\n" ONE ".endr\n"
        "  add $128, %%rsp\n"
        : "+a"(sum), "+c"(positive)
        : "S"(add)
        : "rdi", "rdx", "cc", "memory");
  }
  printf("%ld %ld\n", sum, positive);
  End();
  return 0;
}
