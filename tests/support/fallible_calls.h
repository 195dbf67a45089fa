// The system calls that a host can refuse to a process that did nothing wrong, and an errno with which it does. Those that
// cannot fail for such a reason (close, waitid, kill, getpid, ...) are not among them.
#pragma once

#include <sys/syscall.h>

#include <cerrno>

namespace tally {

struct FallibleCall {
  long number;
  const char* name;
  int error;
};

inline constexpr FallibleCall kFallibleCalls[] = {
    {SYS_read, "read", EIO},
    {SYS_pread64, "pread64", EIO},
    {SYS_write, "write", EIO},
    {SYS_pwrite64, "pwrite64", EIO},
    {SYS_open, "open", EMFILE},
    {SYS_openat, "openat", EMFILE},
    {SYS_stat, "stat", EIO},
    {SYS_lstat, "lstat", EIO},
    {SYS_newfstatat, "newfstatat", EIO},
    {SYS_fstat, "fstat", EIO},
    {SYS_statx, "statx", EIO},
    {SYS_statfs, "statfs", EIO},
    {SYS_fstatfs, "fstatfs", EIO},
    {SYS_access, "access", EIO},
    {SYS_faccessat, "faccessat", EIO},
    {SYS_faccessat2, "faccessat2", EIO},
    {SYS_readlink, "readlink", EIO},
    {SYS_getdents64, "getdents64", EIO},
    {SYS_getcwd, "getcwd", EIO},
    {SYS_lseek, "lseek", EIO},
    {SYS_mmap, "mmap", ENOMEM},
    {SYS_mremap, "mremap", ENOMEM},
    {SYS_mprotect, "mprotect", ENOMEM},
    {SYS_munmap, "munmap", ENOMEM},
    {SYS_brk, "brk", ENOMEM},
    {SYS_pipe2, "pipe2", EMFILE},
    {SYS_fcntl, "fcntl", EMFILE},
    {SYS_dup2, "dup2", EIO},
    {SYS_dup3, "dup3", EIO},
    {SYS_socketpair, "socketpair", EMFILE},
    {SYS_setsockopt, "setsockopt", ENOMEM},
    {SYS_sendmsg, "sendmsg", ENOBUFS},
    {SYS_recvmsg, "recvmsg", ENOMEM},
    {SYS_recvfrom, "recvfrom", ENOMEM},
    {SYS_memfd_create, "memfd_create", EMFILE},
    {SYS_signalfd4, "signalfd4", EMFILE},
    {SYS_eventfd2, "eventfd2", EMFILE},
    {SYS_timerfd_create, "timerfd_create", EMFILE},
    {SYS_pidfd_open, "pidfd_open", EMFILE},
    {SYS_perf_event_open, "perf_event_open", EMFILE},
    {SYS_clone, "clone", EAGAIN},
    {SYS_clone3, "clone3", EAGAIN},
    {SYS_vfork, "vfork", EAGAIN},
    {SYS_fork, "fork", EAGAIN},
    {SYS_poll, "poll", ENOMEM},
    {SYS_ppoll, "ppoll", ENOMEM},
    {SYS_ptrace, "ptrace", EPERM},
    {SYS_process_vm_readv, "process_vm_readv", ENOMEM},
    {SYS_process_vm_writev, "process_vm_writev", ENOMEM},
    {SYS_mkdir, "mkdir", ENOSPC},
    {SYS_mkdirat, "mkdirat", ENOSPC},
    {SYS_rmdir, "rmdir", EBUSY},
    {SYS_unlink, "unlink", EIO},
    {SYS_unlinkat, "unlinkat", EIO},
    {SYS_rename, "rename", EIO},
    {SYS_symlink, "symlink", ENOSPC},
    {SYS_link, "link", ENOSPC},
    {SYS_linkat, "linkat", ENOSPC},
    {SYS_mknod, "mknod", ENOSPC},
    {SYS_mknodat, "mknodat", ENOSPC},
    {SYS_chmod, "chmod", EPERM},
    {SYS_fchmod, "fchmod", EPERM},
    {SYS_fchmodat, "fchmodat", EPERM},
    {SYS_chown, "chown", EPERM},
    {SYS_fchown, "fchown", EPERM},
    {SYS_ftruncate, "ftruncate", ENOSPC},
    {SYS_fallocate, "fallocate", ENOSPC},
    {SYS_fsync, "fsync", EIO},
    {SYS_utimensat, "utimensat", EIO},
    {SYS_flock, "flock", ENOLCK},
    {SYS_sendfile, "sendfile", ENOSPC},
    {SYS_copy_file_range, "copy_file_range", ENOSPC},
    {SYS_unshare, "unshare", ENOSPC},
    {SYS_mount, "mount", ENOMEM},
    {SYS_umount2, "umount2", ENOMEM},
    {SYS_open_tree, "open_tree", EMFILE},
    {SYS_mount_setattr, "mount_setattr", EPERM},
    {SYS_move_mount, "move_mount", ENOMEM},
    {SYS_pivot_root, "pivot_root", EPERM},
    {SYS_setns, "setns", ENOMEM},
    {SYS_chdir, "chdir", EIO},
    {SYS_setsid, "setsid", EPERM},
    {SYS_sethostname, "sethostname", EPERM},
    {SYS_prctl, "prctl", EPERM},
    {SYS_capget, "capget", EPERM},
    {SYS_capset, "capset", EPERM},
    {SYS_prlimit64, "prlimit64", EPERM},
    {SYS_setrlimit, "setrlimit", EPERM},
    {SYS_setgroups, "setgroups", EPERM},
    {SYS_setresuid, "setresuid", EAGAIN},
    {SYS_setresgid, "setresgid", EPERM},
    {SYS_personality, "personality", EPERM},
    {SYS_seccomp, "seccomp", ENOMEM},
    {SYS_close_range, "close_range", EMFILE},
    {SYS_landlock_restrict_self, "landlock_restrict_self", E2BIG},
    {SYS_sched_setattr, "sched_setattr", EPERM},
    {SYS_sched_setaffinity, "sched_setaffinity", EPERM},
};

constexpr const FallibleCall* FindFallibleCall(long number) {
  for (const FallibleCall& call : kFallibleCalls) {
    if (call.number == number) return &call;
  }
  return nullptr;
}

}  // namespace tally
