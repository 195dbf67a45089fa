// Code in pages that a mapping has got by growing down: of one that was asked for so, and of an executable stack, where nested functions whose
// addresses are taken have their code too (GCC's trampolines). What was executed may not be written for the moment, and neither may
// what grows from there then.
#include "program.h"

#include <sys/mman.h>

enum { kPage = 4096, kDeep = 100 };

static char* WriteCode(char* at, unsigned char result) {
  const unsigned char code[] = {0xb8, result, 0, 0, 0, 0xc3};  // mov eax, result; ret
  memcpy(at, code, sizeof code);
  return at;
}
static int Call(char* code) {
  __asm__ volatile("" : "+r"(code) : : "memory");  // which is read
  return ((int (*)(void))code)();
}
static int Jump(char* code) {
  int result = 0;
  __asm__ volatile("sub $128, %%rsp; lea 1f(%%rip), %%rdx; push %%rdx; push %1; ret; 1: add $128, %%rsp" : "=a"(result) : "r"(code) : "rdx", "cc", "memory");
  return result;
}

static void InMapping(void) {
  char* low = mmap((void*)0x200000000, kPage, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS | MAP_GROWSDOWN, -1, 0);
  printf("%d", Call(WriteCode(low, 1)));
  for (unsigned char i = 1; i < 8; ++i) printf(" %d", Call(WriteCode(low - i * kPage, i)));
  printf(" %d %d", Call(WriteCode(low - 20 * kPage, 20)), Jump(WriteCode(low - 23 * kPage, 23)));
  for (unsigned char i = 1; i < 8; ++i) printf(" %d", Call(WriteCode(low - i * kPage, 100 + i)));
  printf("\n");
}

static int __attribute__((noinline)) OnStack(int deeper) {
  volatile char frame[kPage];
  char code[16];
  frame[0] = 1;
  const int here = deeper % 10 == 0 ? Call(WriteCode(code, (unsigned char)deeper)) : 0;
  return (deeper == 0 ? 0 : OnStack(deeper - 1)) + here + frame[0];
}

static int __attribute__((noinline)) Apply(int (*function)(int), int value) { return function(value); }
static int __attribute__((noinline)) Nested(int deeper) {
  volatile char frame[kPage];
  int Add(int value) { return value + deeper + frame[0]; }
  frame[0] = 1;
  const int before = deeper % 10 == 0 ? Apply(Add, 0) : 0;
  return deeper == 0 ? before : Nested(deeper - 1) + before;
}

int main(void) {
  InMapping();
  printf("%d %d\n", OnStack(5), OnStack(kDeep));
  printf("%d %d\n", Nested(2 * kDeep), Nested(10));
  End();
  return 0;
}
