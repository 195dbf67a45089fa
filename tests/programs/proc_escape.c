// Uses /proc's magic links to leave: the root, work directory and descriptors of other processes, its own
// memory through /proc/self/mem, its oom score, its own uid map. Magic links are not paths: /proc/PID/root
// jumps to whatever root that process has, past every mount that hides it; the permission is that of ptrace.
// /proc/self/mem even writes to read-only pages.
// Tally: OK; everything of other processes is refused; what its own memory says is its own affair.
#include "program.h"

#include <fcntl.h>

int main(void) {
  static const char* const reads[] = {"/proc/1/root/etc/shadow",
                                      "/proc/1/cwd",
                                      "/proc/1/fd/0",
                                      "/proc/1/maps",
                                      "/proc/1/mem",
                                      "/proc/self/root/../../etc/shadow",
                                      "/proc/sys/kernel/random/boot_id"};
  static const char* const writes[] = {"/proc/1/oom_score_adj",    "/proc/self/uid_map",
                                       "/proc/self/gid_map",       "/proc/self/setgroups",
                                       "/proc/sys/vm/drop_caches", "/proc/self/mem"};
  char path[64];
  for (size_t i = 0; i < sizeof reads / sizeof *reads; ++i) Report(reads[i], open(reads[i], O_RDONLY));
  snprintf(path, sizeof path, "/proc/%d/root/etc/shadow", (int)getppid());
  Report("parent's root", open(path, O_RDONLY));
  for (size_t i = 0; i < sizeof writes / sizeof *writes; ++i) Report(writes[i], open(writes[i], O_WRONLY));
  End();
  return 0;
}
