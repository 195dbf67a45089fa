// Executes a command as Docker's and Podman's default confinement would: without CAP_SYS_ADMIN and most other capabilities, with the
// seccomp profile's answers to the calls that make namespaces and mounts, with parts of /proc and /sys read-only or masked.
// Source: moby's profiles/seccomp/default_linux.go and oci/defaults.go, podman's containers-common.
// Usage: like_docker COMMAND...
#define _GNU_SOURCE
#include <errno.h>
#include <linux/audit.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define NUMBER offsetof(struct seccomp_data, nr)
#define ARG(n) offsetof(struct seccomp_data, args[n])
#define LOAD(what) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, what)
#define REFUSE(error) BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (error))
#define ALLOW BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)
#define CALL_IS(number, error) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 1), REFUSE(error)
#define NAMESPACES 0x7E020000U  // CLONE_NEW*

static int install(void) {
  struct sock_filter filter[] = {
      LOAD(NUMBER),
      CALL_IS(SYS_clone3, ENOSYS),
      CALL_IS(SYS_unshare, EPERM), CALL_IS(SYS_setns, EPERM), CALL_IS(SYS_mount, EPERM), CALL_IS(SYS_umount2, EPERM),
      CALL_IS(SYS_pivot_root, EPERM), CALL_IS(SYS_open_tree, EPERM), CALL_IS(SYS_move_mount, EPERM), CALL_IS(SYS_fsopen, EPERM),
      CALL_IS(SYS_mount_setattr, EPERM), CALL_IS(SYS_bpf, EPERM), CALL_IS(SYS_perf_event_open, EPERM), CALL_IS(SYS_keyctl, EPERM),
      CALL_IS(SYS_userfaultfd, EPERM), CALL_IS(SYS_io_uring_setup, EPERM), CALL_IS(SYS_quotactl, EPERM), CALL_IS(SYS_reboot, EPERM),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone, 0, 4),
      LOAD(ARG(0)),
      BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, NAMESPACES, 0, 1),
      REFUSE(EPERM),
      ALLOW,
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_personality, 0, 7),
      LOAD(ARG(0)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0, 5, 0), BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 8, 4, 0),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0x20000, 3, 0), BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0x20008, 2, 0),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0xffffffff, 1, 0),
      REFUSE(EPERM),
      ALLOW,
  };
  struct sock_fprog program = {sizeof filter / sizeof filter[0], filter};
  return (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program);
}

static void read_only(const char* path) {
  if (mount(path, path, NULL, MS_BIND | MS_REC, NULL) == 0) (void)mount(NULL, path, NULL, MS_BIND | MS_REMOUNT | MS_RDONLY, NULL);
}

int main(int argc, char** argv) {
  static const int kept[] = {CAP_CHOWN, CAP_DAC_OVERRIDE, CAP_FSETID, CAP_FOWNER, CAP_MKNOD, CAP_NET_RAW, CAP_SETGID, CAP_SETUID,
                             CAP_SETFCAP, CAP_SETPCAP, CAP_NET_BIND_SERVICE, CAP_SYS_CHROOT, CAP_KILL, CAP_AUDIT_WRITE};
  if (argc < 2 || geteuid() != 0) return 2;
  if (unshare(CLONE_NEWNS) != 0 || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0) return perror("unshare"), 2;
  for (int i = 0; i < 6; ++i) read_only((const char*[]){"/proc/sys", "/proc/sysrq-trigger", "/proc/irq", "/proc/bus", "/sys", "/sys/fs/cgroup"}[i]);
  (void)mount("/dev/null", "/proc/kcore", NULL, MS_BIND, NULL);
  (void)mount("/dev/null", "/proc/timer_list", NULL, MS_BIND, NULL);
  (void)mount("tmpfs", "/proc/scsi", "tmpfs", MS_RDONLY, NULL);
  struct __user_cap_header_struct head = {_LINUX_CAPABILITY_VERSION_3, 0};
  struct __user_cap_data_struct sets[2] = {{0}};
  for (size_t i = 0; i < sizeof kept / sizeof kept[0]; ++i) {
    sets[kept[i] / 32].permitted |= 1U << (kept[i] % 32);
  }
  for (int cap = 0; cap <= CAP_LAST_CAP; ++cap) {
    if ((sets[cap / 32].permitted & (1U << (cap % 32))) == 0) (void)prctl(PR_CAPBSET_DROP, cap, 0, 0, 0);
  }
  sets[0].effective = sets[0].permitted;
  sets[1].effective = sets[1].permitted;
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || install() != 0) return perror("seccomp"), 2;
  if (syscall(SYS_capset, &head, sets) != 0) return perror("capset"), 2;
  execvp(argv[1], argv + 1);
  perror(argv[1]);
  return 2;
}
