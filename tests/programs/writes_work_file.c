// Writes argv[2] bytes (default 1000) to the file argv[1] (default "work.txt"), reads them back, removes it.
// What is writable is a mount of the run's own; elsewhere open(O_CREAT) says EROFS or EACCES.
// Tally: OK where the work directory or the given folder (/tmp) is writable; else RE with exit code 1. OLE
// when the file passes the file size limit.
#include "program.h"

#include <fcntl.h>

int main(int argc, char** argv) {
  const char* name = argc > 1 ? argv[1] : "work.txt";
  const long long size = Number(argc, argv, 2, 1000);
  const int fd = open(name, O_RDWR | O_CREAT | O_TRUNC, 0600);
  Report(name, fd);
  if (fd < 0) return 1;
  for (long long i = 0; i < size; ++i) {
    if (write(fd, "x", 1) != 1) return 2;
  }
  if (lseek(fd, 0, SEEK_END) != size) return 3;
  close(fd);
  Report("unlink", unlink(name));
  End();
  return 0;
}
