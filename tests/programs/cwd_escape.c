// Climbs by "..", a hundred times, from its work directory, and lists what is there; then tries ".." of every
// descriptor that is a folder. ".." stops at the process's root; after pivot_root with the old root still
// mounted beneath, or with a folder of the host open, it does not lead to where the sandbox ends.
// Tally: OK; the list is that of the sandbox's "/" (as list_dir prints it), no descriptor is a folder.
#include "program.h"

#include <dirent.h>
#include <fcntl.h>

int main(void) {
  for (int i = 0; i < 100; ++i) {
    if (chdir("..") != 0) break;
  }
  DIR* entries = opendir(".");
  for (struct dirent* entry; entries != NULL && (entry = readdir(entries)) != NULL;) puts(entry->d_name);
  if (entries != NULL) closedir(entries);
  for (int fd = 0; fd < 256; ++fd) {
    if (openat(fd, "..", O_RDONLY | O_DIRECTORY) >= 0) printf("descriptor %d is a folder\n", fd);
    if (errno == EMFILE) break;
  }
  End();
  return 0;
}
