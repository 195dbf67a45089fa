#include "supervisor/sandbox/sandbox_user.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstring>

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

// A user namespace has the limits that its maker had, on all users in it and in all other namespaces of that maker together
// (kernel/user_namespace.c, set_userns_rlimit_max; Linux 5.14). Of ours each program has its own limits, and these are to be
// the only ones.
class NoLimitsOfUsers {
 public:
  NoLimitsOfUsers() {
    for (Limit& limit : limits_) {
      if (::getrlimit(limit.resource, &limit.before) != 0) continue;
      const rlimit none{RLIM_INFINITY, RLIM_INFINITY};
      const rlimit most{limit.before.rlim_max, limit.before.rlim_max};  // root of a container may have no right to more
      limit.is_raised = ::setrlimit(limit.resource, &none) == 0 || ::setrlimit(limit.resource, &most) == 0;
    }
  }
  ~NoLimitsOfUsers() {
    for (const Limit& limit : limits_) {
      if (limit.is_raised) ::setrlimit(limit.resource, &limit.before);
    }
  }
  NoLimitsOfUsers(const NoLimitsOfUsers&) = delete;
  NoLimitsOfUsers& operator=(const NoLimitsOfUsers&) = delete;

 private:
  struct Limit {
    __rlimit_resource resource;
    rlimit before{};
    bool is_raised = false;
  };
  Limit limits_[4] = {{RLIMIT_NPROC}, {RLIMIT_SIGPENDING}, {RLIMIT_MEMLOCK}, {RLIMIT_MSGQUEUE}};
};

int CloneIntoNamespace(Life* life) {
  constexpr std::size_t kStack = 16 << 10;
  alignas(16) static char stack[kStack];
  const NoLimitsOfUsers no_limits;
  return ::clone(LiveOn, stack + kStack, CLONE_VM | CLONE_NEWUSER | SIGCHLD, life);
}

Fd MakeNamespace(uid_t uid, gid_t gid) {
  sys::Pipe pipe = sys::MakePipe();
  Life life{pipe.read_end.get(), pipe.write_end.get()};
  const int child = CloneIntoNamespace(&life);
  if (child < 0) return Fd();
  const std::string folder = fmt::format("/proc/{}", child);
  Fd made;
  if (sys::TryWriteFile(folder + "/uid_map", fmt::format("{} {} 1", kSandboxUid, uid)) &&
      sys::TryWriteFile(folder + "/gid_map", fmt::format("{} {} 1", kSandboxGid, gid))) {
    made = Fd(::open((folder + "/ns/user").c_str(), O_RDONLY | O_CLOEXEC));
  }
  pipe.write_end.Reset();
  waits::AwaitEnd(child);
  return made;
}

}  // namespace

// With all names taken, or none to be had, one is shared: no run fails for that.
void SandboxUser::Take() {
  if (uid_ != 0) return;
  for (unsigned number = 0; number < kMostUsers; ++number) {
    errno = 0;
    taken_ = Bind(number);
    if (!taken_.valid() && errno == EADDRINUSE) continue;
    uid_ = kSandboxUid + (taken_.valid() ? number : 0);
    return;
  }
  uid_ = kSandboxUid + static_cast<uid_t>(::getpid()) % kMostUsers;
}

uid_t SandboxUser::uid() {
  Take();
  return uid_;
}

gid_t SandboxUser::gid() { return uid() - kSandboxUid + kSandboxGid; }

int SandboxUser::Namespace() {
  if (!namespace_) namespace_ = MakeNamespace(uid(), gid());
  return namespace_->valid() ? namespace_->get() : -1;
}

bool SandboxUser::IsSeenAsNumber() const { return namespace_ && !namespace_->valid() && uid_ != kSandboxUid; }

int SandboxUser::Own(const std::string& path) { return ::lchown(path.c_str(), uid(), gid()) == 0 ? 0 : errno; }

}  // namespace tally
