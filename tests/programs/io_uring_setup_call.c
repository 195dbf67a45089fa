// Sets up an io_uring with one entry. Operations submitted through the ring are done by the kernel without a
// system call each, so a seccomp filter and a count of system calls see none of the opens, sockets and writes
// made through it.
// Tally: RV ("io_uring_setup").
#include "program.h"

#include <linux/io_uring.h>
#include <sys/syscall.h>

int main(void) {
  struct io_uring_params parameters;
  memset(&parameters, 0, sizeof parameters);
  TRY("io_uring_setup", syscall(SYS_io_uring_setup, 1, &parameters));
  End();
  return 0;
}
