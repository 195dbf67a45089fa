// Tries to open what /proc says of its own memory, by every name it can think of.
// Tally: OK; translated, nothing of that is opened, and maps does not list what is not the program's.
#include "program.h"

#include <fcntl.h>
#include <sys/stat.h>

static void Try(int folder, const char* path) {
  const int file = openat(folder, path, O_RDONLY);
  printf("%s: %s\n", path, file >= 0 ? "opened" : strerrorname_np(errno));
  if (file >= 0) close(file);
}

int main(void) {
  const int self = open("/proc/self", O_RDONLY | O_DIRECTORY);
  if (self < 0) return 3;
  static const char* const names[] = {"mem", "pagemap", "smaps", "map_files", "map_files/", "map_files/.", "task/2/mem"};
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i) Try(self, names[i]);
  Try(AT_FDCWD, "/proc/self/mem");
  Try(AT_FDCWD, "/proc/2/smaps");
  Try(AT_FDCWD, "/proc/thread-self/pagemap");
  Try(AT_FDCWD, "/dev/fd/../mem");
  Try(AT_FDCWD, "//proc//self/./mem");
  if (chdir("/proc/self/map_files") == 0) Try(AT_FDCWD, ".");
  if (symlink("/proc/self/mem", "/tmp/harmless") == 0) Try(AT_FDCWD, "/tmp/harmless");
  if (mkfifo("/tmp/maps", 0600) == 0) {  // a pipe of that name keeps nobody waiting
    const int pipe = open("/tmp/maps", O_RDONLY | O_NONBLOCK);
    if (pipe < 0) puts("/tmp/maps: no pipe");
  }
  End();
  return 0;
}
