// Has a static array of 256 MiB of which it uses one page.
// Declared, not used: address space only. Contestants do this all the time ("int a[1 << 26]").
// Tally, with a memory limit below 256 MiB: OK when pages are counted (cgroup, resident); MLE when address
// space is: execve cannot map the array and the process is killed before its first instruction.
#include "program.h"

static char array[256 << 20];

int main(int argc, char** argv) {
  array[(size_t)Number(argc, argv, 1, 12345) % sizeof array] = 1;
  printf("%d\n", array[12345]);
  End();
  return 0;
}
