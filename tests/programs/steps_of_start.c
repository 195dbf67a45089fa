// Makes one of the calls that init and the start of a program need: steps_of_start NAME.
// Kernel: init installs most of a program's policy for all of its programs, and lets these through; a filter of the program's own does not.
// Tally: RV by the call's name, or an errno, the same with and without an init.
#include "program.h"

#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>

int main(int argc, char** argv) {
  const char* const name = argc > 1 ? argv[1] : "";
  const struct rlimit limit = {1, 1}, *limits = &limit;
  struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
  struct __user_cap_data_struct none[2] = {{0, 0, 0}, {0, 0, 0}};
  struct sock_filter allow = {BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW};
  struct sock_fprog filter = {1, &allow};
  struct msghdr message = {0};
  unsigned long clone_arguments[8] = {0, 0, 0, 0, SIGCHLD};
  long result = -1;
  if (strcmp(name, "clone3") == 0) result = syscall(SYS_clone3, clone_arguments, sizeof clone_arguments);
  if (strcmp(name, "recvmsg") == 0) result = syscall(SYS_recvmsg, 0, &message, MSG_DONTWAIT);
  if (strcmp(name, "setrlimit") == 0) result = syscall(SYS_setrlimit, RLIMIT_CORE, limits);
  if (strcmp(name, "setns") == 0) result = syscall(SYS_setns, 0, 0);
  if (strcmp(name, "unshare") == 0) result = syscall(SYS_unshare, 0);
  if (strcmp(name, "setgroups") == 0) result = syscall(SYS_setgroups, 0, NULL);
  if (strcmp(name, "setresgid") == 0) result = syscall(SYS_setresgid, getgid(), getgid(), getgid());
  if (strcmp(name, "setresuid") == 0) result = syscall(SYS_setresuid, getuid(), getuid(), getuid());
  if (strcmp(name, "capset") == 0) result = syscall(SYS_capset, &header, none);
  if (strcmp(name, "personality") == 0) result = syscall(SYS_personality, 0xffffffff);
  if (strcmp(name, "seccomp") == 0) result = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &filter);
  if (strcmp(name, "dumpable") == 0) result = syscall(SYS_prctl, PR_SET_DUMPABLE, 1, 0, 0, 0);
  if (strcmp(name, "securebits") == 0) result = syscall(SYS_prctl, PR_SET_SECUREBITS, 0, 0, 0, 0);
  if (strcmp(name, "no_new_privs") == 0) result = syscall(SYS_prctl, PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  if (strcmp(name, "time_stamps") == 0) result = syscall(SYS_prctl, PR_SET_TSC, 1, 0, 0, 0);
  printf("%s: %s\n", name, result == 0 ? "done" : strerror(errno));
  return 0;
}
