// Writes argv[1] MiB (default 64) to one file in argv[2] (default "/tmp"; "." is the work directory), removes
// it. Every regular file is bound by RLIMIT_FSIZE, the mount by its size; whichever is smaller ends it, by
// SIGXFSZ or by ENOSPC. The file is unlinked first, so that nothing is left when the program is killed.
// Tally: OLE when the file size limit (by default the output limit) is below argv[1]; RE (exit code 1) where
// the folder is not writable or the mount is full first.
#include "program.h"

#include <fcntl.h>

int main(int argc, char** argv) {
  static char block[65536];
  char name[4096];
  snprintf(name, sizeof name, "%s/tally-flood-%d", argc > 2 ? argv[2] : "/tmp", (int)getpid());
  const int fd = open(name, O_WRONLY | O_CREAT | O_EXCL, 0600);
  Report(name, fd);
  if (fd < 0) return 1;
  unlink(name);
  for (long long left = Number(argc, argv, 1, 64) * (long long)MIB; left > 0;) {
    const ssize_t n = write(fd, block, sizeof block);
    if (n <= 0) {
      Report("write", -1);
      return 1;
    }
    left -= n;
  }
  End();
  return 0;
}
