#include "supervisor/private_mounts.h"

#include <fmt/format.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <optional>

#include "base/error.h"
#include "base/sys.h"

namespace tally {
namespace {

constexpr const char* kCandidates[] = {"/proc/tty", "/proc/fs", "/mnt"};

void WriteMap(const char* path, const std::string& line) {
  if (!sys::TryWriteFile(path, line)) throw SystemError(std::string("write ") + path, errno);
}

void EnterUserNamespace() {
  const uid_t uid = ::geteuid();
  const gid_t gid = ::getegid();
  if (::unshare(CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWIPC) != 0) {
    throw SystemError(
        "this host does not let an ordinary user make a user namespace (run `tally check-host` for what to "
        "change, or ask for --isolation=reduced); unshare(CLONE_NEWUSER)",
        errno);
  }
  WriteMap("/proc/self/setgroups", "deny");
  WriteMap("/proc/self/uid_map", fmt::format("{} {} 1", kSandboxUid, uid));
  WriteMap("/proc/self/gid_map", fmt::format("{} {} 1", kSandboxGid, gid));
}

PrivateMounts Enter() {
  PrivateMounts out;
  // Root of a container may lack CAP_SYS_ADMIN; it is then as ordinary as any user.
  out.user_namespace = ::geteuid() != 0 || ::unshare(CLONE_NEWNS | CLONE_NEWIPC) != 0;
  if (out.user_namespace) EnterUserNamespace();
  if (::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0) {
    throw SystemError("mount / private", errno);
  }
  for (const char* candidate : kCandidates) {
    if (::mount("tally", candidate, "tmpfs", MS_NOSUID | MS_NODEV, "mode=755,size=4m") == 0) {
      out.directory = candidate;
      return out;
    }
  }
  throw SystemError("mount a tmpfs over /proc/tty", errno);
}

}  // namespace

const PrivateMounts& EnterPrivateMounts() {
  static std::optional<PrivateMounts> entered;
  if (!entered) entered = Enter();
  return *entered;
}

}  // namespace tally
