// Makes shared memory by i386's old mmap (number 90, whose arguments lie in memory), by int $0x80 from 64-bit code: 96 pieces
// of 1 MiB, each filled and unmapped but for its first page.
// Tally: RV, the call named as i386's; with permission for it MLE under 64 MiB, however memory is limited.
#include "program.h"

#include <sys/mman.h>
#include <sys/syscall.h>

int main(void) {
  enum { kPiece = 1 << 20, kPage = 4096, kOldMmap = 90 };
  SafetyNet();
  unsigned* const arguments = mmap(NULL, kPage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);
  if (arguments == MAP_FAILED) return 1;
  for (int i = 0; i < 96; ++i) {
    const unsigned wanted[] = {0, kPiece, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1u, 0};
    memcpy(arguments, wanted, sizeof wanted);
    long made;
    __asm__ volatile("int $0x80" : "=a"(made) : "a"(kOldMmap), "b"(arguments) : "memory", "r8", "r9", "r10", "r11");
    if ((int)made < 0 && (int)made > -kPage) return 2;
    char* const piece = (char*)(made & 0xffffffff);
    memset(piece, 1, kPiece);
    munmap(piece + kPage, kPiece - kPage);
  }
  End();
  return 0;
}
