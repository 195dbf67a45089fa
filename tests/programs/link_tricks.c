// Makes links in argv[1] (default "/tmp"): a symlink to /etc/passwd, one to /proc/self/fd/1, a hard link to
// its own executable and to /etc/passwd; follows them; removes them. A judge that reads the program's folder
// afterwards, as another user, follows what the program left there. Hard links do not cross mounts (EXDEV),
// and protected_hardlinks refuses those to files one may not write.
// Tally: OK; without the file_writes permission every one is "refused (EPERM)".
#include "program.h"

#include <fcntl.h>

int main(int argc, char** argv) {
  static const char* const targets[] = {"/etc/passwd", "/proc/self/fd/1", "../../../../etc/shadow"};
  char path[4096];
  snprintf(path, sizeof path, "%s/.tally-link-%d", argc > 1 ? argv[1] : "/tmp", (int)getpid());
  for (int i = 0; i < 3; ++i) {
    TRY("symlink", symlink(targets[i], path));
    Report(targets[i], open(path, O_RDONLY));
    unlink(path);
  }
  TRY("link /proc/self/exe", linkat(AT_FDCWD, "/proc/self/exe", AT_FDCWD, path, AT_SYMLINK_FOLLOW));
  unlink(path);
  TRY("link /etc/passwd", link("/etc/passwd", path));
  unlink(path);
  End();
  return 0;
}
