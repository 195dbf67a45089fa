// malloc, realloc and free in many sizes, small bins to mmap.
#include "program.h"

int main(void) {
  enum { kBlocks = 20 };
  unsigned char* blocks[kBlocks] = {0};
  unsigned seed = 1;
  unsigned long sum = 0;
  for (int round = 0; round < 60; ++round) {
    seed = seed * 1103515245 + 12345;
    const int at = (int)(seed >> 16) % kBlocks;
    const size_t size = (size_t)1 << ((seed >> 8) % 14);
    if (blocks[at] == NULL) {
      blocks[at] = calloc(1, size);
      blocks[at][size - 1] = (unsigned char)round;
    } else if (round % 3 == 0) {
      blocks[at] = realloc(blocks[at], size + 100);
      blocks[at][size] = 1;
    } else {
      sum += blocks[at][0];
      free(blocks[at]);
      blocks[at] = NULL;
    }
  }
  for (int i = 0; i < kBlocks; ++i) free(blocks[i]);
  void* large = malloc(1 << 20);
  memset(large, 3, 5000);
  free(large);
  printf("%lu\n", sum);
  End();
  return 0;
}
