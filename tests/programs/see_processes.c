// Walks /proc and prints the pid and name of every process that it sees there. /proc belongs to the pid
// namespace it was mounted in: a bind mount of the host's shows all the host's processes and their command
// lines, pid namespace or not.
// Tally: OK; it sees the sandbox's init (1) and itself (2), or there is no /proc.
#include "program.h"

#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>

int main(void) {
  DIR* entries = opendir("/proc");
  int seen = 0;
  if (entries == NULL) Report("/proc", -1);
  for (struct dirent* entry; entries != NULL && (entry = readdir(entries)) != NULL;) {
    if (!isdigit((unsigned char)entry->d_name[0])) continue;
    char path[300], name[64] = "";
    snprintf(path, sizeof path, "/proc/%s/comm", entry->d_name);
    const int fd = open(path, O_RDONLY);
    if (fd >= 0 && read(fd, name, sizeof name - 1) > 0) name[strcspn(name, "\n")] = 0;
    if (fd >= 0) close(fd);
    printf("process %s %s\n", entry->d_name, name);
    ++seen;
  }
  printf("%d processes, I am %d\n", seen, (int)getpid());
  End();
  return 0;
}
