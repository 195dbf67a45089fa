// Asks for argv[1] MiB (default 4096) that it never touches; takes no for an answer, prints which, ends well.
// Under an address space limit malloc fails; where pages are counted it succeeds, because untouched memory
// costs nothing. Either way the program has used next to no memory.
// Tally: OK under any memory limit of 16 MiB or more when pages are counted or the request was refused; with
// the address-space metric MLE only when the block fits the kernel's margin but not the limit.
#include "program.h"

int main(int argc, char** argv) {
  void* volatile block = malloc((size_t)Number(argc, argv, 1, 4096) * MIB);
  puts(block == NULL ? "malloc: refused" : "malloc: allowed");
  free(block);
  End();
  return 0;
}
