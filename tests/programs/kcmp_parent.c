// Compares its own and its parent's stdout by kcmp(2). The answer orders kernel pointers: it tells what a
// process shares with another, and leaks the kernel's layout.
// Tally: RV ("kcmp").
#include "program.h"

#include <linux/kcmp.h>
#include <sys/syscall.h>

int main(void) {
  TRY("kcmp", syscall(SYS_kcmp, getpid(), getppid(), KCMP_FILE, 1, 1));
  End();
  return 0;
}
