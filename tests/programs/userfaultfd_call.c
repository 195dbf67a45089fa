// Opens a userfaultfd. It lets the program decide when a page fault of the kernel itself is answered: the
// usual tool for winning races in kernel exploits.
// Tally: RV ("userfaultfd").
#include "program.h"

#include <sys/syscall.h>

int main(void) {
  TRY("userfaultfd", syscall(SYS_userfaultfd, 0));
  End();
  return 0;
}
