// Reads what runtimes read of themselves: /proc/self/maps, status, exe, /proc/cpuinfo, meminfo.
// /proc shows the processes of the namespace it was mounted in, so a sandbox's own one shows no neighbour.
// Tally: OK; where the sandbox has no /proc, each line says ENOENT and it is still OK.
#include "program.h"

#include <fcntl.h>

int main(void) {
  static const char* const files[] = {"/proc/self/maps", "/proc/self/status", "/proc/self/stat",
                                      "/proc/cpuinfo", "/proc/meminfo"};
  char buffer[4096];
  for (size_t i = 0; i < sizeof files / sizeof *files; ++i) {
    const int fd = open(files[i], O_RDONLY);
    Report(files[i], fd < 0 ? -1 : read(fd, buffer, sizeof buffer) > 0);
    if (fd >= 0) close(fd);
  }
  const ssize_t n = readlink("/proc/self/exe", buffer, sizeof buffer - 1);
  buffer[n > 0 ? n : 0] = 0;
  printf("exe %s\n", buffer);
  End();
  return 0;
}
