#include "supervisor/sandbox/landlock.h"

#include <fcntl.h>
#include <linux/landlock.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <string>

#include "base/error.h"
#include "base/sys.h"

// Debian 12's headers know ABI 2; the numbers below are from include/uapi/linux/landlock.h of kernel 6.12.
#ifndef LANDLOCK_ACCESS_FS_REFER
#define LANDLOCK_ACCESS_FS_REFER (1ULL << 13)
#endif
#ifndef LANDLOCK_ACCESS_FS_TRUNCATE
#define LANDLOCK_ACCESS_FS_TRUNCATE (1ULL << 14)
#endif

namespace tally {
namespace {

constexpr std::uint64_t kAccessIoctlDev = 1ULL << 15;
constexpr std::uint64_t kNetBind = 1ULL << 0, kNetConnect = 1ULL << 1;
constexpr std::uint64_t kScopeAbstractUnix = 1ULL << 0, kScopeSignal = 1ULL << 1;

struct RulesetAttr {
  std::uint64_t handled_access_fs;
  std::uint64_t handled_access_net;  // ABI 4
  std::uint64_t scoped;              // ABI 6
};

constexpr std::uint64_t kReadFile = LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_EXECUTE;
constexpr std::uint64_t kRead = kReadFile | LANDLOCK_ACCESS_FS_READ_DIR;
constexpr std::uint64_t kAllAbi1 = (1ULL << 13) - 1;

std::uint64_t HandledFiles(int abi) {
  std::uint64_t handled = kAllAbi1;
  if (abi >= 2) handled |= LANDLOCK_ACCESS_FS_REFER;
  if (abi >= 3) handled |= LANDLOCK_ACCESS_FS_TRUNCATE;
  if (abi >= 5) handled |= kAccessIoctlDev;
  return handled;
}

class Ruleset {
 public:
  Ruleset() : abi_(LandlockAbi()) {
    if (abi_ == 0) throw SystemError("isolation=reduced needs Landlock, which this kernel does not have", 0);
    RulesetAttr attr{HandledFiles(abi_), 0, 0};
    std::size_t size = sizeof attr.handled_access_fs;
    if (abi_ >= 4) {
      attr.handled_access_net = kNetBind | kNetConnect;
      size += sizeof attr.handled_access_net;
    }
    if (abi_ >= 6) {
      attr.scoped = kScopeAbstractUnix | kScopeSignal;
      size += sizeof attr.scoped;
    }
    fd_ = Fd(static_cast<int>(::syscall(SYS_landlock_create_ruleset, &attr, size, 0u)));
    if (!fd_.valid()) throw SystemError("landlock_create_ruleset", errno);
  }

  // An absent path is passed over: nothing is allowed there anyway.
  void Allow(const std::string& path, bool writable) {
    const Fd place(::open(path.c_str(), O_PATH | O_CLOEXEC));
    if (!place.valid()) return;
    const bool directory = S_ISDIR(sys::Stat(place.get(), path).st_mode);
    std::uint64_t access = directory ? kRead : kReadFile;
    if (writable) access |= directory ? HandledFiles(abi_) : LANDLOCK_ACCESS_FS_WRITE_FILE | (HandledFiles(abi_) & LANDLOCK_ACCESS_FS_TRUNCATE);
    const landlock_path_beneath_attr rule{access, place.get()};
    if (::syscall(SYS_landlock_add_rule, fd_.get(), LANDLOCK_RULE_PATH_BENEATH, &rule, 0u) != 0) {
      throw SystemError("landlock_add_rule " + path, errno);
    }
  }

  Fd Take() { return std::move(fd_); }

 private:
  int abi_;
  Fd fd_;
};

}  // namespace

int LandlockAbi() {
  static const long abi = ::syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION);
  return abi > 0 ? static_cast<int>(abi) : 0;
}

Fd MakeLandlockRuleset(const Sandbox& sandbox) {
  Ruleset rules;
  for (const Mount& mount : sandbox.spec().mounts) {
    if (mount.kind == MountKind::kBind) rules.Allow(mount.source, mount.writable);
    if (mount.kind == MountKind::kSymlink) rules.Allow(mount.target, false);
  }
  for (const char* device : {"/dev/null", "/dev/zero", "/dev/full"}) rules.Allow(device, true);
  for (const char* device : {"/dev/random", "/dev/urandom"}) rules.Allow(device, false);
  for (const PlacedFile& file : sandbox.files()) rules.Allow(file.host_path, file.writable);
  return rules.Take();
}

}  // namespace tally
