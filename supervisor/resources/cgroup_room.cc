#include "supervisor/resources/cgroup_room.h"

#include <fmt/format.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <filesystem>

#include "base/sys.h"

namespace tally {
namespace {

constexpr std::string_view kLeafPrefix = "tally-";
constexpr std::string_view kLeafSuffix = "-self";

// What is in front of the next `separator`, or all; taken off `rest`.
std::string_view TakeUntil(char separator, std::string_view* rest) {
  const std::size_t end = std::min(rest->find(separator), rest->size());
  const std::string_view out = rest->substr(0, end);
  rest->remove_prefix(std::min(end + 1, rest->size()));
  return out;
}

// In words with `separator` between them; a line's end is one, too.
bool HasWord(std::string_view text, std::string_view word, char separator = ' ') {
  while (!text.empty()) {
    for (std::string_view line = TakeUntil('\n', &text); !line.empty();) {
      if (TakeUntil(separator, &line) == word) return true;
    }
  }
  return false;
}

bool FileHasWord(const std::string& path, std::string_view word) {
  return HasWord(sys::TryReadFile(path).value_or(""), word);
}

// Of /proc/self/cgroup, the last field of the line "5:cpu,cpuacct:/path"; version 2's line is "0::/path".
std::optional<std::string> OwnPath(std::string_view own, std::string_view controller) {
  while (!own.empty()) {
    std::string_view path = TakeUntil('\n', &own);
    TakeUntil(':', &path);
    const std::string_view controllers = TakeUntil(':', &path);
    const bool found = controller.empty() ? controllers.empty() : HasWord(controllers, controller, ',');
    if (found && !path.empty()) return std::string(path);
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
  if (FileHasWord(control, controller)) return ::access(directory.c_str(), W_OK) == 0;
  if (!FileHasWord(directory + "/cgroup.controllers", controller)) return false;
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
  const std::string own = sys::TryReadFile(files.own).value_or("");
  if (const auto path = OwnPath(own, "")) {
    const std::string directory = Below(UnifiedMount(files), AboveLeaf(*path));
    if (HandOn(directory, controller)) return CgroupRoom{2, directory};
  }
  const auto path = OwnPath(own, controller);
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
