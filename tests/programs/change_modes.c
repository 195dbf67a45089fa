// Makes a file in argv[1] (default "/tmp") setuid and world-writable, gives it to root, dates it to 1970;
// does the same to its own executable and its work directory, with the values they have. The owner of a file
// may do some of this to it, and a judge that keeps the folder inherits the result.
// Tally: OK; without the file_writes permission every one is "refused (EPERM)".
#include "program.h"

#include <fcntl.h>
#include <sys/stat.h>

int main(int argc, char** argv) {
  char path[4096];
  struct stat info;
  snprintf(path, sizeof path, "%s/.tally-mode-%d", argc > 1 ? argv[1] : "/tmp", (int)getpid());
  Report("open", open(path, O_WRONLY | O_CREAT | O_EXCL, 0600));
  TRY("chmod", chmod(path, 04777));
  TRY("chown", chown(path, 0, 0));
  const struct timespec times[2] = {{0, 0}, {0, 0}};
  TRY("utimensat", utimensat(AT_FDCWD, path, times, 0));
  unlink(path);
  if (stat("/proc/self/exe", &info) == 0) TRY("chmod exe", chmod("/proc/self/exe", info.st_mode & 07777));
  if (stat(".", &info) == 0) TRY("chmod .", chmod(".", info.st_mode & 07777));
  End();
  return 0;
}
