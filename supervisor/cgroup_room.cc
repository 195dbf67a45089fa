#include "supervisor/cgroup_room.h"

#include <fmt/format.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <filesystem>
#include <sstream>

#include "base/sys.h"

namespace tally {
namespace {

constexpr std::string_view kLeafPrefix = "tally-";
constexpr std::string_view kLeafSuffix = "-self";

bool HasWord(const std::string& path, std::string_view word, char separator = ' ') {
  std::istringstream words(sys::TryReadFile(path).value_or(""));
  for (std::string line; std::getline(words, line);) {
    std::istringstream parts(line);
    for (std::string part; std::getline(parts, part, separator);) {
      if (part == word) return true;
    }
  }
  return false;
}

// The last field of the line "5:cpu,cpuacct:/path"; version 2's line is "0::/path".
std::optional<std::string> OwnPath(const CgroupFiles& files, std::string_view controller) {
  std::istringstream lines(sys::TryReadFile(files.own).value_or(""));
  for (std::string line; std::getline(lines, line);) {
    const std::size_t first = line.find(':');
    const std::size_t second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos) continue;
    const std::string controllers = "," + line.substr(first + 1, second - first - 1) + ",";
    const bool found = controller.empty() ? controllers == ",," : controllers.find(fmt::format(",{},", controller)) != std::string::npos;
    if (found) return line.substr(second + 1);
  }
  return std::nullopt;
}

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

bool HandOn(const std::string& directory, std::string_view controller) {
  const std::string control = directory + "/cgroup.subtree_control";
  if (HasWord(control, controller)) return ::access(directory.c_str(), W_OK) == 0;
  if (!HasWord(directory + "/cgroup.controllers", controller)) return false;
  const std::string leaf = fmt::format("{}/{}{}{}", directory, kLeafPrefix, ::getpid(), kLeafSuffix);
  if (::mkdir(leaf.c_str(), 0755) != 0 && errno != EEXIST) return false;
  const std::string words = fmt::format("+{}", controller);
  if (sys::TryWriteFile(leaf + "/cgroup.procs", "0") && sys::TryWriteFile(control, words)) return true;
  sys::TryWriteFile(directory + "/cgroup.procs", "0");
  ::rmdir(leaf.c_str());
  return false;
}

bool IsWritableDirectory(const std::string& path) {
  std::error_code error;
  return std::filesystem::is_directory(path, error) && ::access(path.c_str(), W_OK) == 0;
}

}  // namespace

std::optional<CgroupRoom> RoomForCgroups(std::string_view controller, std::string* why, const CgroupFiles& files) {
  if (const auto path = OwnPath(files, "")) {
    const std::string directory = Below(UnifiedMount(files), AboveLeaf(*path));
    if (HandOn(directory, controller)) return CgroupRoom{2, directory};
  }
  const auto path = OwnPath(files, controller);
  if (!path) {
    *why = fmt::format("no {} controller is delegated to this user", controller);
    return std::nullopt;
  }
  // In a container the path may be one of the host's, which is not to be seen here.
  const std::string tree = fmt::format("{}/{}", files.mount, controller);
  for (const std::string& directory : {Below(tree, *path), tree}) {
    if (IsWritableDirectory(directory)) return CgroupRoom{1, directory};
  }
  *why = "this user may not make cgroups in " + tree;
  return std::nullopt;
}

std::optional<std::string> OwnCgroup(const CgroupFiles& files) {
  const auto path = OwnPath(files, "");
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

void SweepCgroups(const std::string& directory, std::string_view prefix) {
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(directory, error)) {
    const std::string name = entry.path().filename();
    if (name.rfind(prefix, 0) != 0) continue;
    pid_t pid = 0;
    std::from_chars(name.data() + prefix.size(), name.data() + name.size(), pid);
    if (pid > 0 && ::kill(pid, 0) != 0 && errno == ESRCH) RemoveCgroups(entry.path());
  }
}

}  // namespace tally
