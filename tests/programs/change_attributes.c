// Tries to change mode, owner and times of the file argv[1], by each call that does; says which of them could.
// Tally: "END" alone wherever it may not: under full isolation, where the file is not to be seen, and under reduced isolation with
// permission to write files.
#include "program.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <utime.h>

static void Say(const char* call, long result) {
  if (result == 0) printf("%s\n", call);
}

int main(int argc, char** argv) {
  SafetyNet();
  if (argc < 2) return 2;
  const char* const path = argv[1];
  const int self = open("/proc/self/exe", O_RDONLY);
  const int fd = open(path, O_RDONLY) < 0 ? self : open(path, O_RDONLY);
  Say("chmod", syscall(SYS_chmod, path, 0777));
  Say("fchmodat", syscall(SYS_fchmodat, AT_FDCWD, path, 0777));
  Say("fchmodat2", syscall(452, AT_FDCWD, path, 0777, 0));
  Say("fchmod", syscall(SYS_fchmod, fd, 0777));
  Say("chown", syscall(SYS_chown, path, -1, -1));
  Say("lchown", syscall(SYS_lchown, path, -1, -1));
  Say("fchown", syscall(SYS_fchown, fd, -1, -1));
  Say("fchownat", syscall(SYS_fchownat, AT_FDCWD, path, -1, -1, 0));
  Say("utime", syscall(SYS_utime, path, NULL));
  Say("utimes", syscall(SYS_utimes, path, NULL));
  Say("futimesat", syscall(SYS_futimesat, AT_FDCWD, path, NULL));
  Say("utimensat", syscall(SYS_utimensat, AT_FDCWD, path, NULL, 0));
  End();
  return 0;
}
