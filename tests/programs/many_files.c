// Makes argv[1] empty files (default 5000) in argv[2] (default "/tmp"), and removes them. Empty files pass
// every size limit, yet each costs the kernel an inode (about 1 KiB of memory); a tmpfs bounds their number
// by nr_inodes, by default half of the machine's pages.
// Tally: OK, with "refused" printed at the bound; MLE under a cgroup limit of a few MiB and a large argv[1].
#include "program.h"

#include <fcntl.h>

int main(int argc, char** argv) {
  const long long wanted = Number(argc, argv, 1, 5000);
  const char* folder = argc > 2 ? argv[2] : "/tmp";
  char name[4096];
  long long made = 0;
  for (; made < wanted; ++made) {
    snprintf(name, sizeof name, "%s/tally-file-%d-%lld", folder, (int)getpid(), made);
    const int fd = open(name, O_WRONLY | O_CREAT | O_EXCL, 0600);
    if (fd < 0) {
      Report(name, -1);
      break;
    }
    close(fd);
  }
  printf("%lld files\n", made);
  while (made > 0) {
    snprintf(name, sizeof name, "%s/tally-file-%d-%lld", folder, (int)getpid(), --made);
    unlink(name);
  }
  End();
  return 0;
}
