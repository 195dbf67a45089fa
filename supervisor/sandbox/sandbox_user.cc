#include "supervisor/sandbox/sandbox_user.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sched.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstring>
#include <iterator>

#include "base/sys.h"
#include "supervisor/sandbox/private_mounts.h"
#include "supervisor/tracing/waits.h"

namespace tally {
namespace {

// Debian reserves 60000 to 64999 (policy 9.2.2).
constexpr unsigned kMostUsers = 4096;

// Nobody else binds this name while the descriptor lives.
Fd Bind(unsigned number) {
  Fd socket(::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  if (!socket.valid()) return socket;
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const std::string name = fmt::format("tally-user-{}", kSandboxUid + number);
  std::memcpy(address.sun_path + 1, name.data(), name.size());  // a first byte of 0 makes it abstract
  const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + name.size());
  if (::bind(socket.get(), reinterpret_cast<const sockaddr*>(&address), size) != 0) return Fd();
  return socket;
}

// Holds the namespace until we have it: it is born there, with our memory and a copy of our descriptors.
struct Life {
  int read_end, write_end;
};
__attribute__((no_sanitize("address"))) int LiveOn(void* argument) {
  const Life* const life = static_cast<Life*>(argument);
  ::syscall(SYS_close, life->write_end);
  char unused;
  ::syscall(SYS_read, life->read_end, &unused, 1);
  ::syscall(SYS_exit_group, 0);
  return 0;
}

class NoLimitsOfUsers {
 public:
  NoLimitsOfUsers() {
    for (std::size_t i = 0; i < std::size(kLimitsOfUsers); ++i) {
      if (::getrlimit(kLimitsOfUsers[i], &before_[i]) != 0) continue;
      const rlimit none{RLIM_INFINITY, RLIM_INFINITY};
      const rlimit most{before_[i].rlim_max, before_[i].rlim_max};  // root of a container may have no right to more
      is_raised_[i] = ::setrlimit(kLimitsOfUsers[i], &none) == 0 || ::setrlimit(kLimitsOfUsers[i], &most) == 0;
    }
  }
  ~NoLimitsOfUsers() {
    for (std::size_t i = 0; i < std::size(kLimitsOfUsers); ++i) {
      if (is_raised_[i]) ::setrlimit(kLimitsOfUsers[i], &before_[i]);
    }
  }
  NoLimitsOfUsers(const NoLimitsOfUsers&) = delete;
  NoLimitsOfUsers& operator=(const NoLimitsOfUsers&) = delete;

 private:
  rlimit before_[std::size(kLimitsOfUsers)]{};
  bool is_raised_[std::size(kLimitsOfUsers)]{};
};

pid_t CloneIntoNamespace(Life* life) {
  constexpr std::size_t kStack = 16 << 10;
  alignas(16) static char stack[kStack];
  const NoLimitsOfUsers no_limits;
  return ::clone(LiveOn, stack + kStack, CLONE_VM | CLONE_NEWUSER | SIGCHLD, life);
}

}  // namespace

// With all names taken, or none to be had, one is shared: no run fails for that.
void SandboxUser::Take() {
  if (uid_ != 0) return;
  for (unsigned number = 0; number < kMostUsers; ++number) {
    errno = 0;
    taken_ = Bind(number);
    if (!taken_.valid() && errno == EADDRINUSE) continue;
    if (number != 0 && !IsUser(kSandboxUid + number)) break;  // a container may have few
    uid_ = kSandboxUid + (taken_.valid() ? number : 0);
    return;
  }
  taken_.Reset();
  const uid_t any = kSandboxUid + static_cast<uid_t>(::getpid()) % kMostUsers;
  uid_ = IsUser(any) ? any : kSandboxUid;
}

uid_t SandboxUser::uid() {
  Take();
  return uid_;
}


gid_t SandboxUser::gid() { return kSandboxGid; }

int SandboxUser::Namespace() {
  if (!namespace_) namespace_ = MakeNamespace();
  return namespace_->valid() ? namespace_->get() : -1;
}

Fd SandboxUser::MakeNamespace() {
  sys::Pipe pipe = sys::MakePipe();
  Life life{pipe.read_end.get(), pipe.write_end.get()};
  const pid_t child = CloneIntoNamespace(&life);
  if (child < 0) return Fd();
  Fd made;
  if (WriteMaps(child)) made = Fd(::open(fmt::format("/proc/{}/ns/user", child).c_str(), O_RDONLY | O_CLOEXEC));
  pipe.write_end.Reset();
  waits::AwaitEnd(child);
  return made;
}

bool SandboxUser::WriteMaps(pid_t process) {
  const std::string folder = fmt::format("/proc/{}", process);
  return sys::TryWriteFile(folder + "/uid_map", fmt::format("{} {} 1", kSandboxUid, uid())) &&
         sys::TryWriteFile(folder + "/gid_map", fmt::format("{} {} 1", kSandboxGid, gid()));
}

bool SandboxUser::IsSeenAsNumber() const { return namespace_ && !namespace_->valid() && uid_ != kSandboxUid; }

int SandboxUser::Own(const std::string& path) { return ::lchown(path.c_str(), uid(), gid()) == 0 ? 0 : errno; }

}  // namespace tally
