#include "supervisor/resources/cgroup_files.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "base/sys.h"

namespace tally {
namespace {

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

}  // namespace

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

std::optional<std::string> OwnCgroupPath() {
  return OwnPath(sys::TryReadFile("/proc/self/cgroup").value_or(""), "");
}

bool HasController(const std::string& directory, std::string_view controller) {
  return FileHasWord(directory + "/cgroup.controllers", controller);
}

bool HandsOn(const std::string& directory, std::string_view controller) {
  return FileHasWord(directory + "/cgroup.subtree_control", controller) &&
         ::access(directory.c_str(), W_OK) == 0;
}

bool HandOnController(const std::string& directory, std::string_view controller) {
  return sys::TryWriteFile(directory + "/cgroup.subtree_control", fmt::format("+{}", controller));
}

// One that forks meanwhile has a child that stays; so again, while there are fewer.
bool MoveAll(const std::string& from, const std::string& to) {
  constexpr int kTries = 20;
  for (int i = 0; i < kTries; ++i) {
    const std::string processes = sys::TryReadFile(from + "/cgroup.procs").value_or("");
    if (processes.empty()) return true;
    for (std::string_view rest = processes; !rest.empty();)
      sys::TryWriteFile(to + "/cgroup.procs", TakeUntil('\n', &rest));
  }
  return false;
}

}  // namespace tally
