// Tries: to learn what an earlier program said by the machine's files: which pages of one that all are shown are in memory, after pages were
//   let go and read one by one, and how many files without a name somebody made in /tmp.
// Kernel: preadv2 with RWF_NOWAIT reads what is in memory and nothing else; posix_fadvise takes pages of any file that can be read out of
//   it; and a tmpfs counts its files.
// Stopped by: reading without waiting is refused; hints about files are answered as taken, and do nothing; a file without a name is refused.
// Run: same -- => OK
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

static void tell(const char* what, long result) { printf("%s: %s\n", what, result < 0 ? strerrorname_np(errno) : "done"); }

int main(int argc, char** argv) {
  (void)argc;
  char byte;
  struct iovec part = {&byte, 1};
  int file = open(argv[0], O_RDONLY | O_CLOEXEC);
  if (file < 0) file = open("/dev/zero", O_RDONLY | O_CLOEXEC);
  tell("read without waiting", syscall(SYS_preadv2, file, &part, 1, 0L, 0L, 8));
  tell("read without waiting, high half", syscall(SYS_preadv2, file, &part, 1, 0L, 0L, 0x100000008L));
  tell("read", syscall(SYS_preadv2, file, &part, 1, 0L, 0L, 0));
  tell("let go", posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED) == 0 ? 0 : -1);
  tell("let go of what is not there", syscall(SYS_fadvise64, -1, 0L, 0L, POSIX_FADV_DONTNEED));
  tell("read ahead", readahead(file, 0, 1 << 20));
  tell("without a name", open("/tmp", O_TMPFILE | O_RDWR, 0600));
  tell("without a name, by its bit alone", syscall(SYS_openat, AT_FDCWD, "/tmp", 020000000 | O_RDWR, 0600));
  puts("END");
  return 0;
}
