// Recurses until its stack has argv[1] MiB (default 512), then returns all the way and prints END. The kernel
// grows a stack at a fault just below it, up to RLIMIT_STACK as it was at execve; past that, or when
// RLIMIT_AS is used up, the fault is SIGSEGV. Depth is a matter of the stack, not of a fault in the program.
// Tally: MLE when the stack limit, or the memory limit with no stack limit set, is below argv[1]; else OK.
#include "program.h"

__attribute__((noinline)) static long Deeper(long frames) {
  volatile char frame[4000];
  frame[0] = (char)frames;
  const long below = frames > 0 ? Deeper(frames - 1) : 0;
  return below + frame[0];
}

int main(int argc, char** argv) {
  const long frames = Number(argc, argv, 1, 512) * 256;
  printf("%d\n", Deeper(frames) != 1);
  End();
  return 0;
}
