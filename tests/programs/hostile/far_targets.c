// Tries: to make the translator fail: calls and jumps to addresses that no zone of its code cache is near to, mapped or not.
// Kernel: an address space has 128 TiB; a jump to nowhere faults at its target.
// Stopped by: where nothing is executable the program faults, as natively; code in too many places is RV with a sentence.
// Run: same -- nowhere => RE
// Run: -- many => OK RV
// Run: -- huge => OK RV MLE
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

int main(int argc, char** argv) {
  const char* how = argc > 1 ? argv[1] : "nowhere";
  setvbuf(stdout, NULL, _IONBF, 0);
  if (strcmp(how, "nowhere") == 0) {
    // A direct call whose target is 2 GiB beyond the farthest mapping.
    unsigned char* const p = mmap((void*)0x5a0000000000, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
    memcpy(p, "\xe8\x00\xff\xff\x7f\xc3", 6);
    puts("calls");
    ((void (*)(void))p)();
    return 0;
  }
  if (strcmp(how, "huge") == 0) {
    unsigned char* const p = mmap(NULL, 1ULL << 40, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (p == MAP_FAILED) return 0;
    p[1ULL << 39] = 0xc3;
    ((void (*)(void))(p + (1ULL << 39)))();
    return 0;
  }
  for (uint64_t i = 1; i < 40; ++i) {
    unsigned char* const p = mmap((void*)(i << 41), 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
    if (p == MAP_FAILED) continue;
    p[0] = 0xc3;
    ((void (*)(void))p)();
  }
  return 0;
}
