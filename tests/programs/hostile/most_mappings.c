// Tries: to make a system call of the judge's fail: it uses up all mappings a process may have, then makes new code.
// Kernel: vm.max_map_count (65530): mmap and mprotect that would make one more give ENOMEM.
// Stopped by: a call of ours that finds no room is the program's doing, and RV with a sentence (NoRoomInProgram).
// Run: memory=256M time=6 -- => OK RV
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

int main(void) {
  unsigned char* const code = mmap(NULL, 64 << 10, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  memset(code, 0xc3, 64 << 10);
  char* const area = mmap(NULL, 200000UL * 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  for (int i = 0; i < 100000; ++i) {
    if (mprotect(area + i * 8192L, 4096, PROT_NONE) != 0) break;
  }
  for (int i = 0; i < 4; ++i) ((void (*)(void))(code + i * 16384))();
  return 0;
}
