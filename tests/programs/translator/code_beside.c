// Functions side by side in memory that is writable and executable, some over the borders of what is guarded at once. In no order that can
// be foreseen one is written, as it was or otherwise, and one is called: what was written beside a function changes nothing of it.
#include "program.h"

#include <sys/mman.h>

enum { kPage = 4096, kPages = 12, kRights = PROT_READ | PROT_WRITE | PROT_EXEC, kFunctions = 60, kSteps = 4000 };
typedef unsigned (*Function)(unsigned value);

static unsigned char* code;
static unsigned constants[kFunctions];

static unsigned Random(void) {
  static unsigned state = 1;
  state = state * 1664525 + 1013904223;
  return state >> 8;
}

// Functions lie a little less than a page's fifth apart, so that some begin within a few bytes of a page's end.
static unsigned char* At(int function) { return code + function * 811; }

// lea constant(%rdi), %eax; test $1, %al; jz over the next; and for some a loop, or a jump to the next function; ret
static void Write(int function) {
  unsigned char* at = At(function);
  *at++ = 0x8d, *at++ = 0x87;
  memcpy(at, &constants[function], 4), at += 4;
  *at++ = 0xa8, *at++ = 0x01;
  *at++ = 0x74, *at++ = 0x04;
  *at++ = 0x8d, *at++ = 0x44, *at++ = 0x00, *at++ = 0x01;  // lea 1(%rax, %rax), %eax
  if (function % 3 == 0) {
    memcpy(at, "\xb9\x05\0\0\0\xff\xc0\xff\xc9\x75\xfa", 11), at += 11;  // mov $5, %ecx; inc %eax; dec %ecx; jnz back
  }
  if (function % 5 == 0 && function + 1 < kFunctions) {
    *at++ = 0x89, *at++ = 0xc7, *at++ = 0xe9;  // mov %eax, %edi; jmp
    const int distance = (int)(At(function + 1) - (at + 4));
    memcpy(at, &distance, 4);
    return;
  }
  *at = 0xc3;
}

int main(void) {
  code = mmap(NULL, kPages * kPage, kRights, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  for (int i = 0; i < kFunctions; ++i) constants[i] = Random(), Write(i);
  unsigned sum = 0;
  for (int step = 0; step < kSteps; ++step) {
    const int function = (int)(Random() % kFunctions);
    if (step % 7 == 0) constants[function] = Random();
    if (step % 3 == 0) Write(function);
    else sum = ((Function)(const void*)At(function))(sum);
  }
  printf("%u\n", sum);
  End();
  return 0;
}
