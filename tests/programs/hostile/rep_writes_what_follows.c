// Tries: to have stale code executed: a string instruction writes the instructions right behind itself, in its own block, in
//   its own page, across a page's end, backwards, a byte at a time and eight.
// Kernel: the processor sees that code it has fetched was written, and fetches it again.
// Stopped by: the write faults, the block is forgotten, and what follows is translated from the new bytes (guest.cc, HandleFault).
// Run: same -- 0 => OK
// Run: same -- 4090 => OK
// Run: same -- 4094 => OK
// Run: same -- 2000 => OK
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

// rdi: right behind; rsi: what to write; rcx: how much.
static long execute(uint8_t* at, const uint8_t* string, size_t size, const uint8_t* with, size_t count, int backwards) {
  memcpy(at, string, size);
  memset(at + size, 0xcc, 16);
  const size_t unit = string[size - 1] == 0xa5 ? 8 : 1;
  uint8_t* to = at + size + (backwards ? 15 : 0);
  const uint8_t* from = with + (backwards ? 15 : 0);
  long rax = 0;
  size_t left = count / unit;
  if (backwards) __asm__ volatile("std; call *%4; cld" : "+D"(to), "+S"(from), "+c"(left), "+a"(rax) : "r"(at) : "memory", "cc");
  else __asm__ volatile("call *%4" : "+D"(to), "+S"(from), "+c"(left), "+a"(rax) : "r"(at) : "memory", "cc");
  return rax;
}

int main(int argc, char** argv) {
  uint8_t* const code = mmap(NULL, 3 * 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  uint8_t* const at = code + (argc > 1 ? atoi(argv[1]) : 0);
  for (uint8_t i = 1; i <= 5; ++i) {
    const uint8_t with[16] = {0xb8, i, 0, 0, 0, 0xc3, 0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0x90};
    printf("%ld", execute(at, (const uint8_t*)"\xf3\xa4", 2, with, 16, 0));
    printf(" %ld", execute(at, (const uint8_t*)"\xf3\x48\xa5", 3, with, 16, 0));
    printf(" %ld\n", execute(at, (const uint8_t*)"\xf3\xa4", 2, with, 16, 1));
  }
  return 0;
}
