// Chains of checks in one mapping that is made writable, patched in one place and made executable again: a tracing compiler leads a failed
// check elsewhere, or writes what lies behind it anew, and all other code beside it stays. What lies behind may read a check's flags one time and
// not the next. Meanwhile, where it is not executable, a call there faults. At times the whole mapping goes and comes back with the same bytes.
#include "program.h"

#include <setjmp.h>
#include <signal.h>
#include <sys/mman.h>

enum { kLinks = 12, kLink = 128, kSize = 16384, kBody = 2, kCheck = 10, kBehind = 22, kExit = 64, kOtherExit = 96 };

static unsigned char* code;
static sigjmp_buf fault;

static void OnFault(int signal) {
  (void)signal;
  siglongjmp(fault, 1);
}

static void Rights(int rights) {
  if (mprotect(code, kSize, rights) != 0) _exit(2);
}

static unsigned char* Put(unsigned char* at, const void* bytes, size_t size) {
  memcpy(at, bytes, size);
  return at + size;
}

static void Distance(unsigned char* at, const unsigned char* to) {
  const int distance = (int)(to - (at + 4));
  Put(at, &distance, 4);
}

// One above the next: a jump back is where a translation counts.
static unsigned char* Link(int link) { return code + (kLinks - 1 - link) * kLink; }

// Where the check of `link` leads when it fails: to code that reads its flags, or to code that reads none.
static void PatchCheck(int link, int other) { Distance(Link(link) + kCheck + 8, Link(link) + (other ? kOtherExit : kExit)); }

// What the link before comes to. Its own check's flags are dead there, or not.
static void PatchBody(int link, int reads_flags) {
  if (reads_flags) {
    Put(Link(link) + kBody, "\x0f\x9a\xc0\x0f\xb6\xc0\x01\xc7", 8);  // setp %al; movzbl %al,%eax; add %eax,%edi
  } else {
    Put(Link(link) + kBody, "\x83\xc7\x03\x0f\x1f\x44\x00\x00", 8);  // add $3,%edi; nop
  }
}

// Behind the last check there is no place where flags are dead.
static void PatchEnd(int is_long) { Put(Link(kLinks - 1) + kBehind, is_long ? "\x8d\x04\x7f\x8d\x40\x01\xc3" : "\x8d\x04\x7f\xc3", is_long ? 7 : 4); }

static void Write(int link, int limit) {
  Put(Link(link), "\x39\xff", 2);  // cmp %edi,%edi
  PatchBody(link, link & 1);
  unsigned char* at = Put(Link(link) + kCheck, "\x81\xff", 2);  // cmp $limit,%edi
  at = Put(at, &limit, 4);
  Put(at, "\x0f\x82", 2);  // jb
  PatchCheck(link, 0);
  if (link + 1 < kLinks) {
    at = Put(Link(link) + kBehind, "\x8d\x7f\x01\xe9", 4);  // lea 1(%rdi),%edi; jmp
    Distance(at, Link(link + 1) + kBody);
  } else {
    PatchEnd(0);
  }
  Put(Link(link) + kExit, "\x0f\x92\xc0\x0f\xb6\xc0\x8d\x04\x78\xc3", 10);  // setb %al; movzbl %al,%eax; lea (%rax,%rdi,2),%eax; ret
  Put(Link(link) + kOtherExit, "\x01\xff\x8d\x47\x07\xc3", 6);                // add %edi,%edi; lea 7(%rdi),%eax; ret
}

static unsigned long Call(int link, int x) {
  unsigned (*function)(int) = (unsigned (*)(int))(void*)Link(link);
  return function(x);
}

static unsigned long CallAll(int round) {
  unsigned long sum = 0;
  for (int link = 0; link < kLinks; ++link) {
    for (int x = 94; x <= 100; x += 3) sum = sum * 31 + Call(link, x + round % 5);
    sum = sum * 31 + Call(link, 1000);
  }
  return sum;
}

static void* Map(void) { return mmap(code, kSize, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | (code != NULL ? MAP_FIXED : 0), -1, 0); }

static void MapAnew(void) {
  unsigned char bytes[kLinks * kLink];
  memcpy(bytes, code, sizeof bytes);
  if (munmap(code, kSize) != 0 || Map() == MAP_FAILED) _exit(3);
  memcpy(code, bytes, sizeof bytes);
}

int main(void) {
  code = Map();
  if ((void*)code == MAP_FAILED) return 4;
  signal(SIGSEGV, OnFault);
  for (int link = 0; link < kLinks; ++link) Write(link, 90 + link);
  Rights(PROT_READ | PROT_EXEC);
  unsigned long sum = 1;
  int faults = 0;
  for (int round = 0; round < 34; ++round) {
    sum = sum * 31 + CallAll(round);
    Rights(PROT_READ | PROT_WRITE);
    if (round % 8 == 5 && sigsetjmp(fault, 1) == 0) sum += Call(round % kLinks, round);
    if (round % 8 == 5) ++faults;
    const int link = (round * 7 + round / 4) % kLinks;
    switch (round % 4) {
      case 0: PatchCheck(link, round & 8); break;
      case 1: PatchBody(link, ~link & 1); break;
      case 2: PatchEnd(round & 4); break;
      default: break;  // nothing changed
    }
    if (round % 16 == 15) MapAnew();
    Rights(PROT_READ | PROT_EXEC);
  }
  printf("%lx %d\n", sum, faults);
  End();
  return 0;
}
