#include "profile/timeline/call_table.h"

#include <fcntl.h>
#include <linux/futex.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>

#include <array>

namespace tally {
namespace {

constexpr Resource F = Resource::kFile, N = Resource::kNetwork, W = Resource::kWaiting, S = Resource::kSleep,
                   C = Resource::kCpu;
constexpr auto kNo = Amount::kNone;

// An event without a dot gets the object's kind in front; one that is "" is none, and only its effect counts.
constexpr CallRow kTable[] = {
    // Names that become descriptors, and back.
    {SYS_open, "file.open", F, -1, kNo, Effect::kOpen, -1, 1, O_CLOEXEC},
    {SYS_openat, "file.open", F, -1, kNo, Effect::kOpen, -1, 2, O_CLOEXEC},
    {SYS_openat2, "file.open", F, -1, kNo, Effect::kOpen},
    {SYS_creat, "file.open", F, -1, kNo, Effect::kOpen},
    {SYS_memfd_create, "file.open", F, -1, kNo, Effect::kMemory, -1, 1, MFD_CLOEXEC},
    {SYS_close, "close", F, 0, kNo, Effect::kClose},
    {SYS_close_range, "", C, -1, kNo, Effect::kCloseRange},
    {SYS_dup, "", C, 0, kNo, Effect::kDuplicate},
    {SYS_dup2, "", C, 0, kNo, Effect::kDuplicate},
    {SYS_dup3, "", C, 0, kNo, Effect::kDuplicate, -1, 2, O_CLOEXEC},
    {SYS_fcntl, "lock", F, 0, kNo, Effect::kControl},  // an event where it locks
    {SYS_execve, "file.execute", F, -1, kNo, Effect::kExecute},
    {SYS_execveat, "file.execute", F, -1, kNo, Effect::kExecute},

    // Bytes.
    {SYS_read, "read", F, 0, Amount::kRead},
    {SYS_readv, "read", F, 0, Amount::kRead},
    {SYS_pread64, "read", F, 0, Amount::kRead},
    {SYS_preadv, "read", F, 0, Amount::kRead},
    {SYS_preadv2, "read", F, 0, Amount::kRead},
    {SYS_write, "write", F, 0, Amount::kWritten},
    {SYS_writev, "write", F, 0, Amount::kWritten},
    {SYS_pwrite64, "write", F, 0, Amount::kWritten},
    {SYS_pwritev, "write", F, 0, Amount::kWritten},
    {SYS_pwritev2, "write", F, 0, Amount::kWritten},
    {SYS_vmsplice, "write", F, 0, Amount::kWritten},
    {SYS_sendfile, "write", F, 0, Amount::kMoved, Effect::kNone, 1},
    {SYS_splice, "write", F, 2, Amount::kMoved, Effect::kNone, 0},
    {SYS_tee, "write", F, 1, Amount::kMoved, Effect::kNone, 0},
    {SYS_copy_file_range, "write", F, 2, Amount::kMoved, Effect::kNone, 0},

    // Other work on what is open.
    {SYS_lseek, "seek", F, 0},
    {SYS_fsync, "sync", F, 0},
    {SYS_fdatasync, "sync", F, 0},
    {SYS_sync_file_range, "sync", F, 0},
    {SYS_syncfs, "sync", F, 0},
    {SYS_ftruncate, "truncate", F, 0},
    {SYS_fallocate, "allocate", F, 0},
    {SYS_fadvise64, "advise", F, 0},
    {SYS_readahead, "advise", F, 0},
    {SYS_flock, "lock", F, 0},
    {SYS_fstat, "stat", F, 0},
    {SYS_fstatfs, "stat", F, 0},
    {SYS_getdents, "list", F, 0},
    {SYS_getdents64, "list", F, 0},
    {SYS_fchmod, "change", F, 0},
    {SYS_fchown, "change", F, 0},
    {SYS_ioctl, "control", F, 0, kNo, Effect::kControl},

    // Work on names.
    {SYS_stat, "file.stat", F},
    {SYS_lstat, "file.stat", F},
    {SYS_newfstatat, "file.stat", F},
    {SYS_statx, "file.stat", F},
    {SYS_statfs, "file.stat", F},
    {SYS_access, "file.stat", F},
    {SYS_faccessat, "file.stat", F},
    {SYS_faccessat2, "file.stat", F},
    {SYS_readlink, "file.stat", F},
    {SYS_readlinkat, "file.stat", F},
    {SYS_truncate, "file.truncate", F},
    {SYS_unlink, "file.remove", F},
    {SYS_unlinkat, "file.remove", F},
    {SYS_rmdir, "file.remove", F},
    {SYS_rename, "file.rename", F},
    {SYS_renameat, "file.rename", F},
    {SYS_renameat2, "file.rename", F},
    {SYS_link, "file.link", F},
    {SYS_linkat, "file.link", F},
    {SYS_symlink, "file.link", F},
    {SYS_symlinkat, "file.link", F},
    {SYS_mkdir, "file.make", F},
    {SYS_mkdirat, "file.make", F},
    {SYS_mknod, "file.make", F},
    {SYS_mknodat, "file.make", F},
    {SYS_chmod, "file.change", F},
    {SYS_fchmodat, "file.change", F},
    {SYS_chown, "file.change", F},
    {SYS_lchown, "file.change", F},
    {SYS_fchownat, "file.change", F},
    {SYS_utimensat, "file.change", F},
    {SYS_sync, "file.sync", F},
    {SYS_msync, "file.sync", F},

    // Pipes and sockets.
    {SYS_pipe, "pipe.open", F, -1, kNo, Effect::kPipe},
    {SYS_pipe2, "pipe.open", F, -1, kNo, Effect::kPipe, -1, 1, O_CLOEXEC},
    {SYS_socket, "socket.open", N, -1, kNo, Effect::kSocket, -1, 1, SOCK_CLOEXEC},
    {SYS_socketpair, "socket.open", N, -1, kNo, Effect::kSocketPair, -1, 1, SOCK_CLOEXEC},
    {SYS_accept, "socket.accept", N, 0, kNo, Effect::kAccept},
    {SYS_accept4, "socket.accept", N, 0, kNo, Effect::kAccept},
    {SYS_connect, "socket.connect", N, 0, kNo, Effect::kConnect},
    {SYS_bind, "socket.bind", N, 0, kNo, Effect::kBind},
    {SYS_listen, "socket.listen", N, 0},
    {SYS_shutdown, "socket.shutdown", N, 0},
    {SYS_recvfrom, "socket.receive", N, 0, Amount::kRead},
    {SYS_recvmsg, "socket.receive", N, 0, Amount::kRead},
    {SYS_recvmmsg, "socket.receive", N, 0},
    {SYS_sendto, "socket.send", N, 0, Amount::kWritten},
    {SYS_sendmsg, "socket.send", N, 0, Amount::kWritten},
    {SYS_sendmmsg, "socket.send", N, 0},
    {SYS_setsockopt, "socket.control", N, 0},
    {SYS_getsockopt, "socket.control", N, 0},
    {SYS_getsockname, "socket.control", N, 0},
    {SYS_getpeername, "socket.control", N, 0},

    // Descriptors of things that happen.
    {SYS_eventfd, "event.open", W, -1, kNo, Effect::kEvent},
    {SYS_eventfd2, "event.open", W, -1, kNo, Effect::kEvent, -1, 1, EFD_CLOEXEC},
    {SYS_timerfd_create, "event.open", W, -1, kNo, Effect::kEvent, -1, 1, O_CLOEXEC},
    {SYS_signalfd, "event.open", W, -1, kNo, Effect::kEvent},
    {SYS_signalfd4, "event.open", W, -1, kNo, Effect::kEvent},
    {SYS_epoll_create, "event.open", W, -1, kNo, Effect::kEvent},
    {SYS_epoll_create1, "event.open", W, -1, kNo, Effect::kEvent, -1, 0, EPOLL_CLOEXEC},
    {SYS_inotify_init, "event.open", W, -1, kNo, Effect::kEvent},
    {SYS_inotify_init1, "event.open", W, -1, kNo, Effect::kEvent, -1, 0, O_CLOEXEC},
    {SYS_pidfd_open, "event.open", W, -1, kNo, Effect::kEvent},

    // Waiting for others.
    {SYS_futex, "wait.futex", W},
    {SYS_wait4, "wait.child", W},
    {SYS_waitid, "wait.child", W},
    {SYS_poll, "wait.poll", W},
    {SYS_ppoll, "wait.poll", W},
    {SYS_select, "wait.select", W},
    {SYS_pselect6, "wait.select", W},
    {SYS_epoll_wait, "wait.epoll", W},
    {SYS_epoll_pwait, "wait.epoll", W},
    {SYS_epoll_pwait2, "wait.epoll", W},
    {SYS_rt_sigtimedwait, "wait.signal", W},
    {SYS_semop, "wait.semaphore", W},
    {SYS_semtimedop, "wait.semaphore", W},
    {SYS_msgrcv, "wait.message", W},
    {SYS_msgsnd, "wait.message", W},
    {SYS_mq_timedreceive, "wait.message", W},
    {SYS_mq_timedsend, "wait.message", W},
    {SYS_restart_syscall, "wait.restart", W},

    // Waiting for nobody.
    {SYS_nanosleep, "sleep", S},
    {SYS_clock_nanosleep, "sleep", S},
    {SYS_pause, "sleep.pause", S},
    {SYS_rt_sigsuspend, "sleep.pause", S},
};

constexpr std::size_t kLargestNumber = 512;

std::array<const CallRow*, kLargestNumber> ByNumber() {
  std::array<const CallRow*, kLargestNumber> rows{};
  for (const CallRow& row : kTable) rows[row.number] = &row;
  return rows;
}

bool NamesItsKind(const CallRow& row) { return row.descriptor >= 0 && row.event.find('.') == std::string_view::npos; }

bool Waits(std::uint64_t futex_operation) {
  switch (futex_operation & static_cast<std::uint64_t>(FUTEX_CMD_MASK)) {
    case FUTEX_WAIT:
    case FUTEX_WAIT_BITSET:
    case FUTEX_WAIT_REQUEUE_PI:
    case FUTEX_LOCK_PI:
    case FUTEX_LOCK_PI2: return true;
    default: return false;
  }
}

bool Locks(std::uint64_t fcntl_command) {
  return fcntl_command == F_SETLK || fcntl_command == F_SETLKW || fcntl_command == F_OFD_SETLK ||
         fcntl_command == F_OFD_SETLKW;
}

}  // namespace

std::string_view Name(ObjectKind kind) {
  constexpr std::string_view kNames[] = {"file", "pipe", "socket", "terminal", "device", "event", "unknown"};
  return kNames[static_cast<std::size_t>(kind)];
}

std::span<const CallRow> CallTable() { return kTable; }

const CallRow* RowOf(std::uint64_t number) {
  static const auto rows = ByNumber();
  return number < rows.size() ? rows[number] : nullptr;
}

bool IsEvent(const CallRow& row, const std::uint64_t (&arguments)[3]) {
  if (row.number == SYS_futex) return Waits(arguments[1]);
  if (row.number == SYS_fcntl) return Locks(arguments[1]);
  return !row.event.empty();
}

std::string EventName(const CallRow& row, ObjectKind kind, Resource resource) {
  constexpr std::string_view kWait = "wait.";
  if (resource == Resource::kSleep && row.event.starts_with(kWait)) {
    return "sleep." + std::string(row.event.substr(kWait.size()));
  }
  if (!NamesItsKind(row)) return std::string(row.event);
  return std::string(Name(kind)) + "." + std::string(row.event);
}

Resource ResourceOf(const CallRow& row, ObjectKind kind, const std::uint64_t (&arguments)[3]) {
  // Of no descriptor at all: the way to sleep where there was no other.
  if ((row.number == SYS_poll || row.number == SYS_ppoll) && arguments[1] == 0) return Resource::kSleep;
  if ((row.number == SYS_select || row.number == SYS_pselect6) && arguments[0] == 0) return Resource::kSleep;
  if (!NamesItsKind(row)) return row.resource;
  switch (kind) {
    case ObjectKind::kSocket: return Resource::kNetwork;
    case ObjectKind::kEvent: return Resource::kWaiting;
    case ObjectKind::kPipe:
    case ObjectKind::kTerminal: return row.amount == Amount::kRead ? Resource::kWaiting : Resource::kFile;
    default: return Resource::kFile;
  }
}

}  // namespace tally
