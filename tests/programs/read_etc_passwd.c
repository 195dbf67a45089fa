// Tries to open files that are none of its business, and argv[1...]: /etc/passwd, /etc/shadow, /root, /home,
// ... Whatever a mount shows, file permissions decide as whom; a root of its own has no such file (ENOENT),
// and with Landlock the open is EACCES although stat finds it.
// Tally: OK; /etc/passwd is absent or the sandbox's own, all others are refused. A hint file's path likewise.
#include "program.h"

#include <fcntl.h>

int main(int argc, char** argv) {
  static const char* const paths[] = {
      "/etc/passwd",     "/etc/shadow", "/etc/hostname", "/root", "/home", "/var/log",
      "/proc/1/environ", "/proc/kcore", "/sys/kernel",   "/boot", "/run",  "/srv"};
  for (size_t i = 0; i < sizeof paths / sizeof *paths; ++i) Report(paths[i], open(paths[i], O_RDONLY));
  for (int i = 1; i < argc; ++i) Report(argv[i], open(argv[i], O_RDONLY));
  End();
  return 0;
}
