// Allocates argv[1] MiB (default 256) in one block, touches every page, frees it, prints END.
// malloc of a large block is mmap: address space at once, real memory only when touched. Where the address
// space is limited malloc returns NULL and the program ends with exit code 1.
// Tally: OK when the memory limit is above argv[1] (mem_used is about argv[1] MiB though it was freed), else
// MLE under every memory metric: a refused allocation that the program dies of is not RE.
#include "program.h"

int main(int argc, char** argv) {
  const size_t size = (size_t)Number(argc, argv, 1, 256) * MIB;
  char* block = malloc(size);
  if (block == NULL) {
    puts("malloc: refused");
    return 1;
  }
  Touch(block, size);
  free(block);
  End();
  return 0;
}
