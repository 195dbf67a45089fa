// Makes device nodes (a copy of /dev/null, of /dev/mem and of the first disk) in ".", /tmp and /dev, and
// opens them for reading; removes them. mknod of a device needs CAP_MKNOD in the first user namespace; a
// mount with nodev does not let one be opened.
// Tally: RV ("mknod" or "mknodat").
#include "program.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

int main(void) {
  static const struct {
    const char* name;
    mode_t type;
    unsigned major, minor;
  } nodes[] = {{"null", S_IFCHR, 1, 3}, {"mem", S_IFCHR, 1, 1}, {"disk", S_IFBLK, 8, 0}};
  static const char* const folders[] = {".", "/tmp", "/dev"};
  for (int i = 0; i < 9; ++i) {
    char path[128];
    snprintf(path, sizeof path, "%s/.tally-%s-%d", folders[i / 3], nodes[i % 3].name, (int)getpid());
    TRY(path, mknod(path, nodes[i % 3].type | 0600, makedev(nodes[i % 3].major, nodes[i % 3].minor)));
    const int fd = open(path, O_RDONLY);
    Report("open", fd);
    if (fd >= 0) close(fd);
    unlink(path);
  }
  End();
  return 0;
}
