// Prints who it is: uids, gids, groups, pid, parent, session; then what /proc/self/status and capget say of
// capabilities, no_new_privs and seccomp.
// A supervisor that runs as root must give up every one of these; groups are the one most often forgotten.
// Tally: OK; an unprivileged uid, no groups of the host, all capability sets 0, NoNewPrivs 1, Seccomp 2
// (filter).
#include "program.h"

#include <linux/capability.h>
#include <sys/syscall.h>

int main(void) {
  unsigned uid[3], gid[3];
  gid_t groups[64];
  getresuid(&uid[0], &uid[1], &uid[2]);
  getresgid(&gid[0], &gid[1], &gid[2]);
  printf("uid %u %u %u\ngid %u %u %u\ngroups", uid[0], uid[1], uid[2], gid[0], gid[1], gid[2]);
  const int n = getgroups(64, groups);
  for (int i = 0; i < n; ++i) printf(" %u", groups[i]);
  printf("\npid %d ppid %d pgrp %d sid %d\n", (int)getpid(), (int)getppid(), (int)getpgrp(), (int)getsid(0));
  struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
  struct __user_cap_data_struct sets[2] = {{0}};
  Report("capget", syscall(SYS_capget, &header, sets));
  printf("effective %08x%08x permitted %08x%08x\n", sets[1].effective, sets[0].effective, sets[1].permitted,
         sets[0].permitted);
  char line[256];
  FILE* status = fopen("/proc/self/status", "r");
  while (status != NULL && fgets(line, sizeof line, status) != NULL) {
    if (strncmp(line, "Cap", 3) == 0 || strncmp(line, "NoNewPrivs", 10) == 0 ||
        strncmp(line, "Seccomp", 7) == 0 || strncmp(line, "NSpid", 5) == 0 ||
        strncmp(line, "TracerPid", 9) == 0) {
      fputs(line, stdout);
    }
  }
  End();
  return 0;
}
