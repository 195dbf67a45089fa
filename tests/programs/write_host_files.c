// Tries to make a file in every folder that matters and to open for writing files that matter; writes nothing
// into the latter and removes what it made.
// A read-only mount answers EROFS to everybody, root included; without one only permissions stand in the way.
// Tally: OK; "refused" for all but the work directory and /tmp (where the sandbox has them), and the host has
// no new file afterwards.
#include "program.h"

#include <fcntl.h>

int main(void) {
  static const char* const folders[] = {"/",    "/usr",     "/usr/bin", "/etc",     "/bin",
                                        "/lib", ".",        "/dev",     "/dev/shm", "/proc",
                                        "/tmp", "/var/tmp", "/home",    "/root",    "/run"};
  static const char* const files[] = {"/etc/passwd",
                                      "/bin/sh",
                                      "/usr/bin/env",
                                      "/proc/sys/kernel/hostname",
                                      "/proc/sys/kernel/core_pattern",
                                      "/proc/sysrq-trigger",
                                      "/proc/1/mem",
                                      "/dev/sda",
                                      "/dev/vda",
                                      "/dev/mem",
                                      "/proc/self/exe"};
  char name[256];
  for (size_t i = 0; i < sizeof folders / sizeof *folders; ++i) {
    snprintf(name, sizeof name, "%s/.tally-probe-%d", folders[i], (int)getpid());
    const int fd = open(name, O_WRONLY | O_CREAT | O_EXCL, 0600);
    Report(folders[i], fd);
    if (fd >= 0) unlink(name);
  }
  for (size_t i = 0; i < sizeof files / sizeof *files; ++i) Report(files[i], open(files[i], O_WRONLY));
  End();
  return 0;
}
