// Makes argv[1] files in /tmp, in an order that is not theirs, and reads the folder by getdents64(2) with argv[2] bytes at a time.
// Prints the names as they come.
#include "program.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>

int main(int argc, char** argv) {
  const long long files = Number(argc, argv, 1, 50), size = Number(argc, argv, 2, 1 << 16);
  char path[64];
  if (mkdir("/tmp/many", 0700) != 0) return 2;
  for (long long i = 0; i < files; ++i) {
    snprintf(path, sizeof path, "/tmp/many/f%03lld", i * 37 % files);
    const int fd = open(path, O_CREAT | O_WRONLY, 0600);
    if (fd < 0) return 3;
    close(fd);
  }
  const int folder = open("/tmp/many", O_RDONLY | O_DIRECTORY);
  char* entries = malloc((size_t)size);
  for (long n; (n = syscall(SYS_getdents64, folder, entries, size)) != 0;) {
    if (n < 0) return 4;
    for (long at = 0; at < n; at += ((struct dirent64*)(entries + at))->d_reclen) puts(((struct dirent64*)(entries + at))->d_name);
  }
  End();
  return 0;
}
