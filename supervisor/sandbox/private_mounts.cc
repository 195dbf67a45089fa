#include "supervisor/sandbox/private_mounts.h"

#include <fmt/format.h>
#include <linux/capability.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <iterator>
#include <optional>
#include <sstream>
#include <string>
#include <utility>

#include "base/error.h"
#include "base/executable_path.h"
#include "base/sys.h"

namespace tally {
namespace {

constexpr const char* kCandidates[] = {"/proc/tty", "/proc/fs", "/proc/irq", "/mnt"};

// uid_map and gid_map, lines "INSIDE OUTSIDE COUNT"; unreadable ones forbid nothing.
bool IsMapped(const char* map, std::uint64_t id) {
  const std::optional<std::string> text = sys::TryReadFile(map);
  if (!text) return true;
  std::istringstream lines(*text);
  for (std::uint64_t inside, outside, count; lines >> inside >> outside >> count;) {
    if (id >= inside && id - inside < count) return true;
  }
  return false;
}

// In our user namespace we hold every capability over the user's own files; without these two, what the user
// may not read or write stays so for us (a folder of his that he has closed).
void KeepFilePermissions() {
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  __user_cap_data_struct data[2]{};
  if (::syscall(SYS_capget, &header, data) != 0) throw SystemError("capget", errno);
  for (const unsigned capability : {CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH}) {
    data[0].effective &= ~(1u << capability);
    data[0].permitted &= ~(1u << capability);
  }
  if (::syscall(SYS_capset, &header, data) != 0) throw SystemError("capset", errno);
}

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
  KeepFilePermissions();
}

PrivateMounts Enter() {
  PrivateMounts out;
  // Root of a container may lack CAP_SYS_ADMIN; it is then as ordinary as any user.
  out.user_namespace = !CanChangeUser() || ::unshare(CLONE_NEWNS | CLONE_NEWIPC) != 0;
  if (out.user_namespace) EnterUserNamespace();
  if (::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0) {
    throw SystemError("mount / private", errno);
  }
  return out;
}

// Files are copied into a root only when the program's user may not read the original, so the size is bounded by the caller's
// own files. Only a mount without nodev opens device nodes (sandbox.cc).
bool MountRootOver(const char* directory) {
  return ::mount("tally", directory, "tmpfs", MS_NOSUID, "mode=755,size=512m") == 0;
}

bool MountOurs(const char* directory) {
  return ::mount("tally", directory, "tmpfs", MS_NOSUID | MS_NODEV, "mode=755,size=4m") == 0;
}

// Over one of the candidates that is not taken yet.
std::string MountOverCandidate(bool (*mount)(const char* directory)) {
  static std::size_t next = 0;
  while (next < std::size(kCandidates)) {
    const char* const candidate = kCandidates[next++];
    if (mount(candidate)) return candidate;
  }
  throw SystemError(fmt::format("mount a tmpfs over {}", kCandidates[0]), errno);
}

// The machine's own user namespace has all users; its number is the same everywhere (include/linux/proc_ns.h,
// PROC_USER_INIT_INO).
bool InInitialUserNamespace() {
  constexpr ino_t kNumber = 0xEFFFFFFD;
  struct stat status {};
  return ::stat("/proc/self/ns/user", &status) == 0 && status.st_ino == kNumber;
}

bool OtherUsersExist() {
  return InInitialUserNamespace() ||
         (sys::TryReadFile("/proc/self/setgroups").value_or("allow").starts_with("allow") &&
          IsMapped("/proc/self/uid_map", kSandboxUid) && IsMapped("/proc/self/gid_map", kSandboxGid));
}

bool Has(unsigned capability) {
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  __user_cap_data_struct data[2]{};
  return ::syscall(SYS_capget, &header, data) == 0 && (data[capability / 32].effective >> capability % 32 & 1) != 0;
}

}  // namespace

void RequireOwnProc() {
  static const bool is_own = [] {
    char self[32]{};
    const bool is_there = ::readlink("/proc/self", self, sizeof self - 1) > 0;
    if (!is_there && errno != ENOENT) throw SystemError("readlink /proc/self", errno);
    return is_there && std::atoi(self) == ::getpid();
  }();
  if (is_own) return;
  throw SystemError("/proc is not there, or shows the processes of another PID namespace: mount this one's (mount -t proc proc /proc; unshare --mount-proc)", 0);
}

bool IsUser(uid_t id) {
  return InInitialUserNamespace() || (IsMapped("/proc/self/uid_map", id) && IsMapped("/proc/self/gid_map", kSandboxGid));
}

bool CanChangeUser() {
  if (::geteuid() != 0) return false;
  static const bool can = OtherUsersExist() && Has(CAP_SETUID) && Has(CAP_SETGID) && Has(CAP_SYS_PTRACE);
  return can;
}

bool ProgramsChangeUser(Isolation isolation) {
  if (isolation == Isolation::kNone) return false;
  return CanChangeUser() && !(isolation == Isolation::kFull && EnterPrivateMounts().user_namespace);
}

const PrivateMounts& EnterPrivateMounts() {
  static std::optional<PrivateMounts> entered;
  static pid_t by = 0;
  if (std::exchange(by, ::getpid()) == ::getpid()) return *entered;
  ExecutablePath();  // read now: afterwards it may be cut short
  if (!entered) entered = Enter();
  // A fork: what it mounts must not lie over what the others have mounted in the same places meanwhile.
  else if (::unshare(CLONE_NEWNS) != 0) throw SystemError("unshare(CLONE_NEWNS) in a fork", errno);
  return *entered;
}

const std::string& PrivateDirectory() {
  EnterPrivateMounts();
  static const std::string directory = MountOverCandidate(MountOurs);
  return directory;
}

// An inode is about a kilobyte of the kernel's memory, and has a name: one for each page of the size is plenty.
std::string TmpfsOptions(Bytes size) {
  constexpr std::uint64_t kPage = 4096;
  constexpr std::uint64_t kFewest = 1024;
  return fmt::format("mode=1777,size={},nr_inodes={}", size.count, kFewest + size.count / kPage);
}

std::string MountTmpfsForRuns(Bytes size) {
  static int next = 0;
  const std::string folder = fmt::format("{}/runs-{}-{}", PrivateDirectory(), ::getpid(), next++);
  if (::mkdir(folder.c_str(), 0755) != 0) throw SystemError("mkdir " + folder, errno);
  if (::mount("tally", folder.c_str(), "tmpfs", MS_NOSUID | MS_NODEV, TmpfsOptions(size).c_str()) != 0) throw SystemError("mount tmpfs on " + folder, errno);
  return folder;
}

std::string MountTmpfsForRoot() {
  EnterPrivateMounts();
  static int next = 0;
  const int number = next++;
  if (number == 0) return MountOverCandidate(MountRootOver);
  // Forks have the same numbers, and a folder that one removes goes in every namespace, with what is mounted there (rmdir(2), Linux 4.2).
  const std::string root = fmt::format("{}/{}-{}", PrivateDirectory(), ::getpid(), number);
  if (::mkdir(root.c_str(), 0755) != 0 && errno != EEXIST) throw SystemError("mkdir " + root, errno);
  if (!MountRootOver(root.c_str())) throw SystemError("mount tmpfs on " + root, errno);
  return root;
}

void UnmountRoot(const std::string& root) {
  ::umount2(root.c_str(), MNT_DETACH);
  ::rmdir(root.c_str());  // refused where it is the host's
}

}  // namespace tally
