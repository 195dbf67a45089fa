// Code in several pages of one mapping, of which one at a time is made writable, changed and made executable again, as compilers do that
// let no memory be both: jumps, calls and flags go from page to page. One page is also unmapped and mapped anew.
#include "program.h"

#include <sys/mman.h>

enum { kPages = 6, kPage = 4096, kBody = 64 };

static unsigned char* code;

static void Rights(int page, int rights) {
  if (mprotect(code + page * kPage, kPage, rights) != 0) _exit(2);
}

static unsigned char* Put(unsigned char* at, const void* bytes, size_t size) {
  memcpy(at, bytes, size);
  return at + size;
}

static unsigned char* Jump(unsigned char* at, unsigned char opcode, const unsigned char* to) {
  const int distance = (int)(to - (at + 5));
  *at = opcode;
  return Put(at + 1, &distance, 4);
}

// Begins with a jump alone. The body adds to edi, compares, and goes on in the next page, which reads the comparison's flags, or does not.
static void Write(int page, unsigned char what, int reads_flags) {
  unsigned char* at = code + page * kPage;
  memset(at, 0xcc, kPage);
  Jump(at, 0xe9, at + kBody);
  at += kBody;
  if (reads_flags) {
    at = Put(at, "\x0f\x92\xc0\x0f\xb6\xc0\x01\xc7", 8);  // setb %al; movzbl %al,%eax; add %eax,%edi
  } else {
    at = Put(at, "\x31\xc0\x01\xc7", 4);  // xor %eax,%eax; add %eax,%edi
  }
  at = Put(at, "\x83\xc7", 2);  // add $what,%edi
  *at++ = what;
  at = Put(at, "\x81\xff\xe8\x03\x00\x00", 6);  // cmp $1000,%edi
  if (page + 1 < kPages) {
    Jump(at, 0xe9, code + (page + 1) * kPage);
  } else {
    Put(at, "\x8d\x04\x7f\xc3", 4);  // lea (%rdi,%rdi,2),%eax; ret
  }
}

// A call from page to page: sub $8,%rsp; call; add $8,%rsp; ret.
static void WriteCall(int page, int callee) {
  unsigned char* at = code + page * kPage + 2 * kBody;
  at = Put(at, "\x48\x83\xec\x08", 4);
  at = Jump(at, 0xe8, code + callee * kPage);
  Put(at, "\x48\x83\xc4\x08\xc3", 5);
}

static int Call(int page, int offset, int x) {
  int (*function)(int) = (int (*)(int))(void*)(code + page * kPage + offset);
  return function(x);
}

int main(void) {
  code = mmap(NULL, (size_t)kPages * kPage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  for (int page = 0; page < kPages; ++page) {
    Write(page, (unsigned char)(page + 1), page & 1);
    WriteCall(page, (page + 2) % kPages);
  }
  if (mprotect(code, (size_t)kPages * kPage, PROT_READ | PROT_EXEC) != 0) return 3;
  unsigned long sum = 1;
  for (int round = 0; round < 60; ++round) {
    const int page = (round * 7 + 3) % kPages;
    for (int from = 0; from < kPages; ++from) {
      sum = sum * 31 + (unsigned long)Call(from, 0, 900 + round);
      sum = sum * 31 + (unsigned long)Call(from, 2 * kBody, 960 + round);
    }
    if (round % 10 == 9) {
      if (munmap(code + page * kPage, kPage) != 0) return 4;
      if (mmap(code + page * kPage, kPage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == MAP_FAILED) return 5;
    } else {
      Rights(page, PROT_READ | PROT_WRITE);
    }
    // Meanwhile only what lies behind it is executed.
    if (page + 1 < kPages) sum = sum * 31 + (unsigned long)Call(page + 1, 0, round);
    Write(page, (unsigned char)(round % 100), round % 3 == 0);
    WriteCall(page, (page + round) % kPages);
    Rights(page, PROT_READ | PROT_EXEC);
  }
  printf("%lx\n", sum);
  End();
  return 0;
}
