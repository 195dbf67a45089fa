// Writes argv[1] bytes (default 1000, at least 5) that end with END by one write(2), ignores the answer and
// exits 0. At RLIMIT_FSIZE a write that begins below the limit and ends above it is cut short without any
// signal: the file has exactly the limit's size and the program saw nothing wrong. Only one byte of slack in
// the limit shows it.
// Tally: OK when the output limit is argv[1], OLE when it is below; never OK with a truncated output.
#include "program.h"

int main(int argc, char** argv) {
  const size_t size = (size_t)Number(argc, argv, 1, 1000);
  char* block = malloc(size + 5);
  if (block == NULL) return 1;
  memset(block, 'x', size);
  memcpy(block + size - 5, "\nEND\n", 5);
  const ssize_t ignored = write(1, block, size);
  (void)ignored;
  return 0;
}
