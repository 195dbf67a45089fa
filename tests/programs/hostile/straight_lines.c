// Tries: to have a translator write past its code cache, in memory of the judge's: N instructions in a straight line, each of
//   which becomes much longer in translation (cpuid, calls, system calls, conditional jumps) or no block's end (nops).
// Kernel: a program may execute as much code as it has memory for.
// Stopped by: a translation ends after so many bytes and blocks, what is taken off the cache is checked, and what is noted
//   down about the program's code has a limit; beyond it translations are forgotten (translator.h).
// Run: same -- cpuid 40000 => OK
// Run: same -- cpuid 120000 => OK
// Run: same -- call 100000 => OK
// Run: same -- syscall 30000 => OK
// Run: same -- nop 200000 => OK
// Run: same -- jcc 200000 => OK
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

struct kind {
  const char* name;
  const char* bytes;
  int size;
};
static const struct kind kinds[] = {
    {"cpuid", "\x0f\xa2", 2},
    {"call", "\xe8\0\0\0\0\x58", 6},                  // call next; pop rax
    {"syscall", "\xb8\x27\0\0\0\x0f\x05", 7},         // getpid
    {"nop", "\x66\x0f\x1f\x84\0\0\0\0\0", 9},
    {"jcc", "\x85\xc0\x0f\x85\0\0\0\0", 8},           // test eax, eax; jnz next
};

int main(int argc, char** argv) {
  const long n = argc > 2 ? atol(argv[2]) : 1000;
  for (unsigned i = 0; argc > 1 && i < sizeof kinds / sizeof kinds[0]; ++i) {
    const struct kind* const k = &kinds[i];
    if (strcmp(argv[1], k->name) != 0) continue;
    unsigned char* const code = mmap(NULL, (size_t)(n * k->size) + 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    unsigned char* at = code;
    *at++ = 0x53;  // push rbx
    for (long j = 0; j < n; ++j, at += k->size) memcpy(at, k->bytes, (size_t)k->size);
    memcpy(at, "\x31\xc0\x5b\xc3", 4);  // xor eax, eax; pop rbx; ret
    if (mprotect(code, (size_t)(n * k->size) + 4096, PROT_READ | PROT_EXEC) != 0) return 2;
    printf("%d\n", ((int (*)(void))code)());
    return 0;
  }
  return 1;
}
