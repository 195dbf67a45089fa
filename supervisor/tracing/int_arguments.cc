#include "supervisor/tracing/int_arguments.h"

#include <linux/audit.h>
#include <sys/syscall.h>

namespace tally {
namespace {

template <typename... Index>
constexpr std::uint8_t Ints(Index... index) {
  return static_cast<std::uint8_t>((0U | ... | (1U << index)));
}

}  // namespace

std::uint8_t IntArguments(std::uint64_t number) {
  switch (number) {
    // Descriptors, and what comes with them. Of some calls they are unsigned longs, of which fdget() takes 32 bits.
    case SYS_read: case SYS_write: case SYS_readv: case SYS_writev: case SYS_pread64: case SYS_pwrite64: case SYS_preadv: case SYS_pwritev:
    case SYS_close: case SYS_dup: case SYS_fstat: case SYS_fsync: case SYS_fdatasync: case SYS_ftruncate: case SYS_fchdir: case SYS_readahead:
    case SYS_fstatfs: return Ints(0);
    case SYS_preadv2: case SYS_pwritev2: return Ints(0, 5);
    case SYS_lseek: case SYS_getdents: case SYS_getdents64: return Ints(0, 2);
    case SYS_dup2: case SYS_fcntl: case SYS_ioctl: case SYS_flock: case SYS_shutdown: return Ints(0, 1);
    case SYS_dup3: case SYS_socket: case SYS_socketpair: case SYS_close_range: return Ints(0, 1, 2);
    case SYS_fallocate: return Ints(0, 1);
    case SYS_open: return Ints(1, 2);
    case SYS_mkdir: case SYS_creat: case SYS_access: case SYS_chmod: return Ints(1);
    case SYS_mkdirat: return Ints(0, 2);
    case SYS_openat: case SYS_faccessat2: return Ints(0, 2, 3);
    case SYS_openat2: return Ints(0);
    case SYS_faccessat: case SYS_unlinkat: case SYS_fchmodat: return Ints(0, 2);
    case SYS_newfstatat: case SYS_readlinkat: return Ints(0, 3);
    case SYS_statx: return Ints(0, 2, 3);
    case SYS_symlinkat: return Ints(1);
    case SYS_renameat: return Ints(0, 2);
    case SYS_renameat2: case SYS_linkat: return Ints(0, 2, 4);
    case SYS_execveat: return Ints(0, 4);
    case SYS_pipe2: return Ints(1);
    case SYS_eventfd: case SYS_epoll_create1: case SYS_epoll_create: return Ints(0);
    case SYS_eventfd2: return Ints(0, 1);
    case SYS_epoll_ctl: return Ints(0, 1, 2);
    case SYS_epoll_wait: case SYS_epoll_pwait: return Ints(0, 2, 3);
    case SYS_epoll_pwait2: return Ints(0, 2);
    case SYS_poll: return Ints(1, 2);
    case SYS_ppoll: return Ints(1);
    case SYS_select: case SYS_pselect6: return Ints(0);
    case SYS_signalfd: return Ints(0);
    case SYS_signalfd4: return Ints(0, 3);
    case SYS_bind: case SYS_connect: return Ints(0, 2);
    case SYS_listen: return Ints(0, 1);
    case SYS_accept: case SYS_getsockname: case SYS_getpeername: return Ints(0);
    case SYS_accept4: case SYS_recvfrom: return Ints(0, 3);
    case SYS_sendto: return Ints(0, 3, 5);
    case SYS_sendmsg: case SYS_recvmsg: return Ints(0, 2);
    case SYS_sendmmsg: case SYS_recvmmsg: return Ints(0, 2, 3);
    case SYS_setsockopt: return Ints(0, 1, 2, 4);
    case SYS_getsockopt: return Ints(0, 1, 2);
    case SYS_splice: return Ints(0, 2, 5);
    case SYS_tee: return Ints(0, 1, 3);
    case SYS_sendfile: return Ints(0, 1);
    case SYS_copy_file_range: return Ints(0, 2, 5);
    // Memory. All of mmap's are unsigned longs.
    case SYS_madvise: case SYS_msync: return Ints(2);
    case SYS_pkey_mprotect: return Ints(3);
    case SYS_pkey_free: return Ints(0);
    // Time.
    case SYS_clock_gettime: case SYS_clock_getres: case SYS_getrusage: case SYS_getitimer: case SYS_setitimer: case SYS_alarm:
    case SYS_timer_create: case SYS_timer_gettime: case SYS_timer_getoverrun: case SYS_timer_delete: case SYS_timerfd_gettime: return Ints(0);
    case SYS_clock_nanosleep: case SYS_timer_settime: case SYS_timerfd_create: case SYS_timerfd_settime: return Ints(0, 1);
    // Tasks and signals.
    case SYS_arch_prctl: case SYS_prctl: case SYS_exit: case SYS_exit_group: case SYS_personality: case SYS_getpgid: case SYS_getsid:
    case SYS_getrlimit: case SYS_setrlimit: case SYS_rt_sigprocmask: case SYS_rt_sigaction: case SYS_umask: case SYS_get_robust_list: return Ints(0);
    case SYS_clone: return Ints(0);  // lower_32_bits(clone_flags)
    case SYS_kill: case SYS_tkill: case SYS_setpgid: case SYS_rt_sigqueueinfo: case SYS_sched_getaffinity: case SYS_prlimit64: case SYS_getpriority: return Ints(0, 1);
    case SYS_tgkill: case SYS_rt_tgsigqueueinfo: return Ints(0, 1, 2);
    case SYS_wait4: return Ints(0, 2);
    case SYS_waitid: return Ints(0, 1, 3);
    case SYS_futex: return Ints(1, 2, 5);
    case SYS_getrandom: return Ints(2);
    case SYS_pidfd_open: return Ints(0, 1);
    case SYS_pidfd_send_signal: return Ints(0, 1, 3);
    default: return 0;
  }
}

StoppedCall MakeStoppedCall(std::uint32_t arch, std::uint64_t number, const std::uint64_t (&arguments)[6], std::uint16_t code) {
  StoppedCall call{.arch = arch, .number = number, .arguments = {}, .code = code};
  const std::uint8_t ints = arch == AUDIT_ARCH_X86_64 ? IntArguments(number) : 0;
  for (int i = 0; i < 6; ++i) call.arguments[i] = (ints >> i & 1) != 0 ? static_cast<std::uint32_t>(arguments[i]) : arguments[i];
  return call;
}

}  // namespace tally
