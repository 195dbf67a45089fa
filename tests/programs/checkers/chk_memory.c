// Touches 512 MiB, then says OK.
// Checkers have a memory limit of their own (256 MiB by default); malloc may say no, or the kernel may kill.
// Tally: a clear result that says the checker exceeded its memory limit, never a silent OK.
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  for (int i = 0; i < 512; ++i) {
    volatile char* block = malloc(1 << 20);
    if (block == NULL) return 1;
    for (int k = 0; k < 1 << 20; k += 4096) block[k] = 1;
  }
  puts("OK");
  return 0;
}
