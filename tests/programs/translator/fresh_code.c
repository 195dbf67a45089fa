// Code made at run time: written, made executable, run; made writable, rewritten, run again; in one page, with
// calls both ways between it and the program.
#include "program.h"

#include <sys/mman.h>

static int called;
static int Callee(int x) {
  ++called;
  return x * 2;
}

int main(void) {
  unsigned char* code = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  long sum = 0;
  for (int i = 0; i < 12; ++i) {
    unsigned char* at = code + i * 3;
    if (mprotect(code, 8192, PROT_READ | PROT_WRITE) != 0) return 2;
    memset(code, 0xcc, 8192);
    static const unsigned char kSub[] = {0x48, 0x83, 0xec, 0x08, 0x83, 0xc7};  // sub $8,%rsp; add $i,%edi
    memcpy(at, kSub, sizeof kSub);
    at += sizeof kSub;
    *at++ = (unsigned char)i;
    *at++ = 0x48, *at++ = 0xb8;  // movabs $Callee,%rax
    const void* callee = (const void*)Callee;
    memcpy(at, &callee, 8);
    at += 8;
    static const unsigned char kCall[] = {0xff, 0xd0, 0x48, 0x83, 0xc4, 0x08, 0xff, 0xc0, 0xc3};
    memcpy(at, kCall, sizeof kCall);  // call *%rax; add $8,%rsp; inc %eax; ret
    if (mprotect(code, 8192, PROT_READ | PROT_EXEC) != 0) return 3;
    int (*function)(int) = (int (*)(int))(void*)(code + i * 3);
    for (int j = 0; j < 5; ++j) sum = sum * 7 % 1000003 + function(j);
  }
  printf("%ld %d\n", sum, called);
  End();
  return 0;
}
