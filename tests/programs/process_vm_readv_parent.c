// Reads eight bytes of its parent's memory by process_vm_readv(2), and tries to write them back.
// As ptrace, without attaching: same user and "dumpable" suffice. The judge's memory holds the model output.
// Tally: RV ("process_vm_readv").
#include "program.h"

#include <sys/uio.h>

int main(void) {
  char bytes[8];
  const struct iovec here = {bytes, sizeof bytes};
  const struct iovec there = {(void*)0x400000, sizeof bytes};
  TRY("process_vm_readv", process_vm_readv(getppid(), &here, 1, &there, 1, 0));
  TRY("process_vm_writev", process_vm_writev(getppid(), &here, 1, &there, 1, 0));
  End();
  return 0;
}
