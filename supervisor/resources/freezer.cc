#include "supervisor/resources/freezer.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <sstream>
#include <string>

#include "base/sys.h"

namespace tally {

// Lines are "5:freezer:/path" and, for version 2, "0::/path" (cgroups(7)).
Freezer::Freezer(pid_t process) {
  std::istringstream lines(sys::TryReadFile(fmt::format("/proc/{}/cgroup", process)).value_or(""));
  for (std::string line; std::getline(lines, line);) {
    const std::size_t first = line.find(':');
    const std::size_t second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    const std::string path = line.substr(second + 1);
    if (controllers == "freezer") {
      if (auto file = sys::TryOpen("/sys/fs/cgroup/freezer" + path + "/freezer.state", O_RDONLY)) state_ = std::move(*file);
    } else if (controllers.empty()) {
      for (const char* const root : {"/sys/fs/cgroup", "/sys/fs/cgroup/unified"}) {
        if (auto file = sys::TryOpen(root + path + "/cgroup.events", O_RDONLY)) events_ = std::move(*file);
      }
    }
  }
}

bool Freezer::Says(const Fd& file, std::string_view words) {
  if (!file.valid()) return false;
  std::array<char, 256> text{};
  const ssize_t read = ::pread(file.get(), text.data(), text.size(), 0);
  return read > 0 && std::string_view(text.data(), static_cast<std::size_t>(read)).find(words) != std::string_view::npos;
}

bool Freezer::IsFrozen() const { return Says(state_, "FROZEN") || Says(events_, "frozen 1"); }

}  // namespace tally
