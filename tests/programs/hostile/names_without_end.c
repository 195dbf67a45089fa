// Tries: the kernel's memory by names: files, folders in folders and long names in /tmp, made and removed.
// Kernel: an inode and an entry of a folder are kernel memory, whatever is in the file; tmpfs bounds their number only if told.
// Stopped by: the run's own tmpfs has a limit on inodes, too; under reduced isolation there is nowhere to write.
// Run: time=2 -- files => OK MLE RV TLE
// Run: time=2 -- deep => OK MLE RV
// Run: time=2 -- rename => OK RV
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int main(int argc, char** argv) {
  const char* how = argc > 1 ? argv[1] : "files";
  char name[256];
  memset(name, 'n', sizeof name);
  if (chdir("/tmp") != 0) return 0;
  for (int i = 0; i < 20000; ++i) {
    snprintf(name + 200, sizeof name - 200, "%d", i);
    if (strcmp(how, "deep") == 0) {
      if (mkdir("d", 0700) != 0 || chdir("d") != 0) return 0;
      continue;
    }
    const int fd = open(name, O_CREAT | O_WRONLY, 0600);
    if (fd < 0) return 0;
    close(fd);
    if (strcmp(how, "rename") == 0 && rename(name, "one") != 0) return 0;
  }
  return 0;
}
