// Writes argv[1] MiB (default 256) to stdout by writev(2), 64 blocks of 16 KiB in each call.
// One call, many buffers: a counter that reads the length from the third argument sees 64, not a million.
// Tally: OLE when the output limit is below argv[1], else OK.
#include "program.h"

#include <sys/uio.h>

int main(int argc, char** argv) {
  static char block[16384];
  struct iovec blocks[64];
  memset(block, 'x', sizeof block);
  for (int i = 0; i < 64; ++i) blocks[i] = (struct iovec){block, sizeof block};
  SafetyNet();
  for (long long left = Number(argc, argv, 1, 256) * (long long)MIB; left > 0;) {
    const ssize_t n = writev(1, blocks, 64);
    if (n <= 0) return 1;
    left -= n;
  }
  End();
  return 0;
}
