// bare_sandbox PROGRAM [CGROUP]: the kernel's share of a run under full isolation, as root, and nothing else.
//
// The same namespaces, mounts, memory cgroup (version 1, made in CGROUP), ids and kind of filter that a run of
// Tally has, in the same order, by a static program without a library but libc. Nothing is read, limited in
// time, counted, watched or judged: nobody should use this. It says what of run_overhead's figure for a cold
// run is the kernel's; a run made of other calls (one mount namespace instead of two, say) may have another.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <unistd.h>

static const uid_t kUser = 60000;
static const char* const kRoots = "/proc/tty";

static long Must(long result, const char* call) {
  if (result >= 0) return result;
  fprintf(stderr, "bare_sandbox: %s: %s\n", call, strerror(errno));
  _exit(2);
}
#define MUST(call) Must(call, #call)

// Source and target are paths; the target is there.
static void Bind(const char* source, const char* target) {
  struct mount_attr flags = {.attr_set = MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV,
                             .propagation = MS_PRIVATE};
  const int tree = (int)MUST(open_tree(AT_FDCWD, source, OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC | AT_RECURSIVE));
  MUST(mount_setattr(tree, "", AT_EMPTY_PATH | AT_RECURSIVE, &flags, sizeof flags));
  MUST(move_mount(tree, "", AT_FDCWD, target, MOVE_MOUNT_F_EMPTY_PATH));
  close(tree);
}

static void Node(const char* path, unsigned minor_number) {
  MUST(mknod(path, S_IFCHR | 0666, makedev(1, minor_number)));
}

static void MakeRoot(const char* program) {
  MUST(mount("bare", kRoots, "tmpfs", MS_NOSUID | MS_NODEV, "mode=755"));
  MUST(chdir(kRoots));
  const char* const folders[] = {"usr", "dev", "tmp", "box"};
  for (size_t i = 0; i < sizeof folders / sizeof *folders; ++i) MUST(mkdir(folders[i], 0755));
  Bind("/usr", "usr");
  MUST(symlink("usr/lib", "lib"));
  MUST(symlink("usr/lib64", "lib64"));
  MUST(symlink("usr/bin", "bin"));
  MUST(mount("bare", "dev", "tmpfs", MS_NOSUID | MS_NOEXEC, "mode=755"));
  Node("dev/null", 3);
  Node("dev/zero", 5);
  Node("dev/full", 7);
  Node("dev/random", 8);
  Node("dev/urandom", 9);
  close((int)MUST(open("box/program", O_CREAT | O_WRONLY, 0755)));
  Bind(program, "box/program");
  struct mount_attr read_only = {.attr_set = MOUNT_ATTR_RDONLY};
  MUST(mount_setattr(AT_FDCWD, ".", 0, &read_only, sizeof read_only));
}

static void EnterRoot(void) {
  MUST(mount("bare", "tmp", "tmpfs", MS_NOSUID | MS_NODEV | MS_NOEXEC, "mode=1777,size=64m"));
  MUST(syscall(SYS_pivot_root, ".", "."));
  MUST(umount2(".", MNT_DETACH));
  MUST(chdir("/box"));
}

// Of about the length of ours.
static void Filter(void) {
  enum { kCalls = 60 };
  struct sock_filter code[2 * kCalls + 8];
  unsigned short n = 0;
#define ADD(...) code[n++] = (struct sock_filter)__VA_ARGS__
  ADD(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)));
  ADD(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, AUDIT_ARCH_X86_64, 1, 0));
  ADD(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS));
  ADD(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)));
  for (unsigned i = 0; i < kCalls; ++i) {
    ADD(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_pidfd_send_signal + i, 0, 1));
    ADD(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS));
  }
  ADD(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
#undef ADD
  const struct sock_fprog program = {n, code};
  MUST(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0));
  MUST(syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program));
}

static int WaitFor(pid_t child) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

static void RunInit(int tasks) {
  MUST(prctl(PR_SET_PDEATHSIG, SIGKILL));
  MUST(setsid());
  MUST(sethostname("sandbox", strlen("sandbox")));
  EnterRoot();
  const pid_t child = vfork();
  if (child == 0) {
    if (tasks >= 0) MUST(write(tasks, "0", 1));
    MUST(syscall(SYS_setgroups, 0, NULL));
    MUST(syscall(SYS_setresgid, kUser, kUser, kUser));
    MUST(syscall(SYS_setresuid, kUser, kUser, kUser));
    Filter();
    char* const argv[] = {"program", NULL};
    char* const env[] = {NULL};
    execve("/box/program", argv, env);
    _exit(127);
  }
  MUST(child);
  _exit(WaitFor(child));
}

int main(int argc, char** argv) {
  if (argc < 2) {
    fprintf(stderr, "usage: bare_sandbox PROGRAM [CGROUP]\n");
    return 1;
  }
  MUST(unshare(CLONE_NEWNS | CLONE_NEWIPC));
  MUST(mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL));
  MakeRoot(argv[1]);
  char cgroup[512] = "";
  int tasks = -1;
  if (argc > 2) {
    char path[600];
    snprintf(cgroup, sizeof cgroup, "%s/bare-%d", argv[2], getpid());
    MUST(mkdir(cgroup, 0755));
    snprintf(path, sizeof path, "%s/memory.limit_in_bytes", cgroup);
    const int limit = (int)MUST(open(path, O_WRONLY | O_CLOEXEC));
    MUST(write(limit, "67108864", 8));
    close(limit);
    snprintf(path, sizeof path, "%s/tasks", cgroup);
    tasks = (int)MUST(open(path, O_WRONLY | O_CLOEXEC));
  }
  struct clone_args args = {.flags = CLONE_NEWPID | CLONE_NEWUTS | CLONE_NEWNS, .exit_signal = SIGCHLD};
  const pid_t init = (pid_t)MUST(syscall(SYS_clone3, &args, sizeof args));
  if (init == 0) RunInit(tasks);
  const int status = WaitFor(init);
  if (cgroup[0] != '\0') MUST(rmdir(cgroup));
  return status;
}
