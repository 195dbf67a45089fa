// Tries: to fill the kernel's memory with file locks, and to reach other runs by locks, leases and notes on a file that they
//   share.
// Kernel: a lock is an object of the kernel's that no memory limit has to count, and belongs to the file, not to the view of it.
// Stopped by: sandboxes whose programs may not write files refuse locks (ENOLCK), leases and notes (EPERM).
// Run: same -- 100000 => OK
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <unistd.h>

int main(int argc, char** argv) {
  long made = 0;
  const int fd = open("/tmp/locked", O_RDWR | O_CREAT, 0600);
  for (long i = argc > 1 ? atol(argv[1]) : 1; fd >= 0 && i > 0; --i) {
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = 2 * i, .l_len = 1};
    if (fcntl(fd, F_SETLK, &lock) == 0) ++made;
    if (made == 0) break;
  }
  printf("%ld locks, flock %d, lease %d, note %d\n", made, flock(0, LOCK_EX | LOCK_NB), fcntl(0, F_SETLEASE, F_RDLCK),
         fcntl(0, F_NOTIFY, 0));
  return made != 0;
}
