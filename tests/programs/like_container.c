// Executes a command as root of a container has it: in namespaces of its own, and unless told otherwise with Docker's and Podman's
// default confinement, without CAP_SYS_ADMIN and most other capabilities, with the seccomp profile's answers to the calls that make
// namespaces and mounts, with parts of /proc and /sys read-only or masked. --lxc is an unprivileged container of LXC's instead: all
// capabilities of a user namespace, few calls refused, less of /proc masked; --nesting adds a whole /proc at another place. AppArmor,
// which LXC uses where there is one, is not simulated.
// Source: moby's profiles/seccomp/default_linux.go and oci/defaults.go, podman's containers-common, LXC's config/templates
// (common.conf, common.seccomp, nesting.conf).
// Usage: like_container [--seccomp=unconfined] [--unmask] [--cap-add=SYS_ADMIN] [--privileged] [--rootless] [--cgroup=DIRECTORY]
//     [--cgroupns=host] [--lxc [--nesting]] COMMAND...   (DIRECTORY is the container's own, of version 2)
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <grp.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define NUMBER offsetof(struct seccomp_data, nr)
#define ARG(n) offsetof(struct seccomp_data, args[n])
#define LOAD(what) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, what)
#define REFUSE(error) BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (error))
#define ALLOW BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)
#define CALL_IS(number, error) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 1), REFUSE(error)
#define NAMESPACES 0x7E020000U  // CLONE_NEW*

static int load(struct sock_filter* filter, size_t length) {
  struct sock_fprog program = {(unsigned short)length, filter};
  return (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program);
}

static int install_lxc(void) {
  struct sock_filter filter[] = {
      LOAD(NUMBER),
      CALL_IS(SYS_kexec_load, EPERM), CALL_IS(SYS_open_by_handle_at, EPERM), CALL_IS(SYS_init_module, EPERM),
      CALL_IS(SYS_finit_module, EPERM), CALL_IS(SYS_delete_module, EPERM),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_umount2, 0, 3),
      LOAD(ARG(1)),
      BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, MNT_FORCE, 0, 1),
      REFUSE(EACCES),
      ALLOW,
  };
  return load(filter, sizeof filter / sizeof filter[0]);
}

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
  return load(filter, sizeof filter / sizeof filter[0]);
}

static void read_only(const char* path) {
  if (mount(path, path, NULL, MS_BIND | MS_REC, NULL) == 0) (void)mount(NULL, path, NULL, MS_BIND | MS_REMOUNT | MS_RDONLY, NULL);
}

static int seccomp = 1, masks = 1, drops = 1, admin = 0, rootless = 0, host_cgroups = 0, lxc = 0, nesting = 0;
static const char* cgroup = NULL;

static char** options(char** argv) {
  for (; *argv != NULL && strncmp(*argv, "--", 2) == 0; ++argv) {
    seccomp &= strcmp(*argv, "--seccomp=unconfined") != 0 && strcmp(*argv, "--privileged") != 0;
    masks &= strcmp(*argv, "--unmask") != 0 && strcmp(*argv, "--privileged") != 0;
    drops &= strcmp(*argv, "--privileged") != 0;
    admin |= strcmp(*argv, "--cap-add=SYS_ADMIN") == 0;
    rootless |= strcmp(*argv, "--rootless") == 0 || strcmp(*argv, "--lxc") == 0;
    host_cgroups |= strcmp(*argv, "--cgroupns=host") == 0;
    if (strncmp(*argv, "--cgroup=", 9) == 0) cgroup = *argv + 9;
    lxc |= strcmp(*argv, "--lxc") == 0;
    nesting |= strcmp(*argv, "--nesting") == 0;
  }
  return argv;
}

static void mask(void) {
  const char* const paths[] = {"/proc/sys", "/proc/sysrq-trigger", "/sys", "/proc/irq", "/proc/bus", "/sys/fs/cgroup"};
  for (int i = 0; i < (lxc ? 3 : 6); ++i) read_only(paths[i]);
  if (lxc) return;
  (void)mount("/dev/null", "/proc/kcore", NULL, MS_BIND, NULL);
  (void)mount("/dev/null", "/proc/timer_list", NULL, MS_BIND, NULL);
  (void)mount("tmpfs", "/proc/scsi", "tmpfs", MS_RDONLY, NULL);
}

static int drop(void) {
  static const int kept[] = {CAP_CHOWN, CAP_DAC_OVERRIDE, CAP_FSETID, CAP_FOWNER, CAP_MKNOD, CAP_NET_RAW, CAP_SETGID, CAP_SETUID,
                             CAP_SETFCAP, CAP_SETPCAP, CAP_NET_BIND_SERVICE, CAP_SYS_CHROOT, CAP_KILL, CAP_AUDIT_WRITE};
  struct __user_cap_header_struct head = {_LINUX_CAPABILITY_VERSION_3, 0};
  struct __user_cap_data_struct sets[2] = {{0}};
  for (size_t i = 0; i < sizeof kept / sizeof kept[0]; ++i) sets[kept[i] / 32].permitted |= 1U << (kept[i] % 32);
  if (admin) sets[CAP_SYS_ADMIN / 32].permitted |= 1U << (CAP_SYS_ADMIN % 32);
  for (int cap = 0; cap <= CAP_LAST_CAP; ++cap) {
    if ((sets[cap / 32].permitted & (1U << (cap % 32))) == 0) (void)prctl(PR_CAPBSET_DROP, cap, 0, 0, 0);
  }
  sets[0].effective = sets[0].permitted;
  sets[1].effective = sets[1].permitted;
  return (int)syscall(SYS_capset, &head, sets);
}

static int enter_cgroup(void) {
  if (cgroup == NULL) return 0;
  char path[4096];
  snprintf(path, sizeof path, "%s/cgroup.procs", cgroup);
  const int file = open(path, O_WRONLY);
  if (file < 0 || write(file, "0", 1) != 1) return -1;
  return close(file);
}

static int inside(char** command) {
  if (enter_cgroup() != 0 || (!host_cgroups && unshare(CLONE_NEWCGROUP) != 0)) return perror("cgroup"), 2;
  if (mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0 || mount("proc", "/proc", "proc", 0, NULL) != 0) return perror("mount"), 2;
  if (mount("tmpfs", "/run", "tmpfs", 0, NULL) != 0) return perror("/run"), 2;  // no systemd's
  if (nesting && (mkdir("/run/proc", 0755) != 0 || mount("proc", "/run/proc", "proc", 0, NULL) != 0)) return perror("/run/proc"), 2;
  // What is below its own cgroup, where version 2 is alone. The kernel refuses the same file system on top of itself.
  const int shows_own = !host_cgroups && access("/sys/fs/cgroup/cgroup.controllers", F_OK) == 0;
  if (shows_own && (mount("tmpfs", "/sys/fs/cgroup", "tmpfs", 0, NULL) != 0 || mount("cgroup2", "/sys/fs/cgroup", "cgroup2", 0, NULL) != 0)) {
    return perror("/sys/fs/cgroup"), 2;
  }
  if (masks) mask();
  if (seccomp && (lxc ? install_lxc() : prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) + install()) != 0) return perror("seccomp"), 2;
  if (drops && !lxc && drop() != 0) return perror("capset"), 2;
  execvp(command[0], command);
  perror(command[0]);
  return 2;
}

// As rootless Podman's: root of a user namespace that has 65536 users of the host's, none of them root.
static int map_users(pid_t child) {
  for (int i = 0; i < 2; ++i) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/%s", (int)child, i == 0 ? "gid_map" : "uid_map");
    const int file = open(path, O_WRONLY);
    if (file < 0 || write(file, "0 100000 65536", 14) != 14) return -1;
    close(file);
  }
  return 0;
}

int main(int argc, char** argv) {
  char** const command = options(argv + 1);
  int go[2], ready[2], status = 0;
  char byte = 0;
  if (argc < 2 || *command == NULL || geteuid() != 0 || pipe(go) != 0 || pipe(ready) != 0) return 2;
  const pid_t child = fork();
  if (child == 0) {
    close(go[1]);
    if (rootless && unshare(CLONE_NEWUSER) != 0) return perror("unshare"), 2;
    if (write(ready[1], &byte, 1) != 1 || read(go[0], &byte, 1) != 1) return 2;
    if (setgid(0) != 0 || setuid(0) != 0 || (rootless && setgroups(0, NULL) != 0)) return perror("setuid"), 2;
    if (unshare(CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWIPC | CLONE_NEWUTS) != 0) return perror("unshare"), 2;
    const pid_t first = fork();
    if (first == 0) _exit(inside(command));
    (void)waitpid(first, &status, 0);
    _exit(WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
  }
  if (read(ready[0], &byte, 1) != 1 || (rootless && map_users(child) != 0) || write(go[1], &byte, 1) != 1) return perror("uid_map"), 2;
  (void)waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
