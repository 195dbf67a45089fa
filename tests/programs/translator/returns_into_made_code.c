// A return as a jump into code made while the program runs, with a flag that code reads: from the program, and from other such code, where
// the flag is a result's. The low bits of its address are those of a place where a call of the program's returns to.
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

static uintptr_t returned_to;

__attribute__((noinline)) static void note(void) { returned_to = (uintptr_t)__builtin_return_address(0); }

__attribute__((noinline)) static int enter(uintptr_t code) {
  int result;
  __asm__ volatile(
      "leaq 1f(%%rip), %%rcx\n\t"
      "subq $128, %%rsp\n\t"
      "pushq %%rcx\n\t"
      "pushq %1\n\t"
      "stc\n\t"
      "ret\n"
      "1:\taddq $128, %%rsp\n\t"
      : "=a"(result)
      : "r"(code)
      : "rcx", "cc", "memory");
  return result;
}

__attribute__((noinline)) static int enter_through(uintptr_t code, uintptr_t next) {
  int result;
  __asm__ volatile(
      "leaq 1f(%%rip), %%rcx\n\t"
      "subq $128, %%rsp\n\t"
      "pushq %%rcx\n\t"
      "jmp *%1\n"
      "1:\taddq $128, %%rsp\n\t"
      : "=a"(result)
      : "r"(code), "S"(next)
      : "rcx", "cc", "memory");
  return result;
}

int main(void) {
  const unsigned char code[] = {0x19, 0xc0, 0xc3};  // sbb %eax, %eax; ret
  const size_t size = 3 << 16;
  note();
  unsigned char* const region = mmap(NULL, size, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (region == MAP_FAILED) return 1;
  note();
  unsigned char* const at = region + (uint16_t)(returned_to - (uintptr_t)region);
  memcpy(at, code, sizeof code);
  printf("%d\n", enter((uintptr_t)at));
  unsigned char* const fixed = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  unsigned char* const again = fixed + (uint16_t)(returned_to - (uintptr_t)fixed);
  memcpy(again, code, sizeof code);
  if (mprotect(fixed, size, PROT_READ | PROT_EXEC) != 0) return 1;
  printf("%d\n", enter((uintptr_t)again));
  const unsigned char way[] = {0x56, 0xb9, 1, 0, 0, 0, 0xf7, 0xd9, 0xc3};  // push %rsi; mov $1, %ecx; neg %ecx; ret
  memcpy(region, way, sizeof way);
  printf("%d\n", enter_through((uintptr_t)region, (uintptr_t)at));
  printf("%d\n", enter_through((uintptr_t)region, (uintptr_t)again));
  puts("END");
  return 0;
}
