#include "supervisor/resources/cgroup_parent.h"

#include <fmt/format.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <filesystem>

#include "base/sys.h"
#include "supervisor/resources/cgroup_files.h"
#include "supervisor/resources/systemd_cgroup.h"

namespace tally {
namespace {

constexpr std::string_view kNamespaceMark = "-ns";

constexpr std::string_view kLeafPrefix = "tally-";
constexpr std::string_view kLeafSuffix = "-self";

std::string Below(const std::string& directory, const std::string& path) { return directory + (path == "/" ? "" : path); }

// Where version 2 is mounted, alone or beside version 1.
std::string UnifiedMount(const CgroupFiles& files) {
  const std::string beside = files.mount + "/unified";
  return ::access((beside + "/cgroup.controllers").c_str(), F_OK) == 0 ? beside : files.mount;
}

std::string AboveLeaf(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  const std::string_view name = std::string_view(path).substr(slash + 1);
  return name.starts_with(kLeafPrefix) && name.ends_with(kLeafSuffix) ? path.substr(0, std::max<std::size_t>(slash, 1)) : path;
}

enum class Others { kStandInTheWay, kStepAside };

// Others who are in the cgroup step aside together with us, or stand in the way, and we go back.
bool HandOn(const std::string& directory, std::string_view controller, Others others) {
  if (HandsOn(directory, controller)) return true;
  if (!HasController(directory, controller)) return false;
  const std::string leaf = fmt::format("{}/{}{}{}", directory, kLeafPrefix, ::getpid(), kLeafSuffix);
  if (::mkdir(leaf.c_str(), 0755) != 0 && errno != EEXIST) return false;
  if (sys::TryWriteFile(leaf + "/cgroup.procs", "0")) {
    if (HandOnController(directory, controller)) return true;
    if (errno == EBUSY && others == Others::kStepAside && MoveAll(directory, leaf) && HandOnController(directory, controller)) return true;
  }
  MoveAll(leaf, directory);
  ::rmdir(leaf.c_str());
  return false;
}

// systemd allows it below units with Delegate=yes (systemd.io/CGROUP_DELEGATION). What a user may write was delegated.
bool MayDivide(const std::string& directory, bool has_systemd) {
  return !has_systemd || ::geteuid() != 0 || IsDelegatedBySystemd(directory);
}

// What a cgroup namespace has for its root is all that a container has (cgroup_namespaces(7)), so all processes in it belong to the container.
// (Whoever is in the root of the whole machine is in nobody's way.)
Others OthersIn(const std::string& directory, std::string_view path) {
  return path == "/" || IsDelegatedBySystemd(directory) ? Others::kStepAside : Others::kStandInTheWay;
}

bool IsWritableDirectory(const std::string& path) {
  std::error_code error;
  return std::filesystem::is_directory(path, error) && ::access(path.c_str(), W_OK) == 0;
}

}  // namespace

namespace {

std::optional<CgroupParent> FindParent(std::string_view controller, std::string* why, const CgroupFiles& files) {
  const std::string own = sys::TryReadFile(files.own).value_or("");
  const std::string unified = UnifiedMount(files);
  const bool has_systemd = ::access(files.systemd.c_str(), F_OK) == 0;
  if (const auto path = OwnPath(own, "")) {
    const std::string divided = AboveLeaf(*path), directory = Below(unified, divided);
    if (MayDivide(directory, has_systemd) && HandOn(directory, controller, OthersIn(directory, divided))) return CgroupParent{2, directory};
  }
  const auto path = OwnPath(own, controller);
  if (!path && has_systemd && HasController(unified, controller)) {
    const auto directory = SystemdCgroup(unified, controller, why);
    if (!directory) return std::nullopt;
    return CgroupParent{2, *directory};
  }
  if (!path) {
    *why = fmt::format("no {} controller is delegated to this user", controller);
    return std::nullopt;
  }
  // In a container the path may be one of the host's, which is not to be seen here.
  const std::string tree = fmt::format("{}/{}", files.mount, controller);
  for (const std::string& directory : {Below(tree, *path), tree}) {
    if (IsWritableDirectory(directory)) return CgroupParent{1, directory};
  }
  *why = "this user may not make cgroups in " + tree;
  return std::nullopt;
}

}  // namespace

std::optional<CgroupParent> FindCgroupParent(std::string_view controller, std::string* why, const CgroupFiles& files) {
  const std::optional<CgroupParent> parent = FindParent(controller, why, files);
  // Who limits memory limits tasks by the same cgroup, where that is to be had.
  if (parent && parent->version == 2 && controller == "memory" && HasController(parent->directory, "pids")) HandOnController(parent->directory, "pids");
  return parent;
}

std::optional<std::string> OwnCgroup(const CgroupFiles& files) {
  const auto path = OwnPath(sys::TryReadFile(files.own).value_or(""), "");
  if (!path) return std::nullopt;
  return Below(UnifiedMount(files), *path);
}

void RemoveCgroups(const std::string& cgroup) {
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(cgroup, error)) {
    if (entry.is_directory(error)) RemoveCgroups(entry.path());
  }
  ::rmdir(cgroup.c_str());  // refused where a process is left
}

std::string NamespaceMark() {
  struct stat status {};
  return ::stat("/proc/self/ns/pid", &status) == 0 ? fmt::format("{}{}", kNamespaceMark, status.st_ino) : "";
}

void SweepCgroups(const std::string& directory, std::string_view prefix) {
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(directory, error)) {
    const std::string name = entry.path().filename();
    if (name.rfind(prefix, 0) != 0) continue;
    pid_t pid = 0;
    std::from_chars(name.data() + prefix.size(), name.data() + name.size(), pid);
    if (pid <= 0 || ::kill(pid, 0) == 0 || errno != ESRCH) continue;
    const std::size_t mark = name.find(kNamespaceMark);
    if (mark == std::string::npos || name.substr(mark) == NamespaceMark()) RemoveCgroups(entry.path());
  }
}

}  // namespace tally
