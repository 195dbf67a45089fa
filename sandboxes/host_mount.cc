#include "sandboxes/host_mount.h"

#include <unistd.h>

#include <array>
#include <cerrno>
#include <climits>

namespace tally {

std::optional<Mount> AsOnHost(const std::string& path, const std::string& target) {
  std::array<char, PATH_MAX> text;
  const ssize_t size = ::readlink(path.c_str(), text.data(), text.size());
  if (size >= 0) {
    return Mount{.kind = MountKind::kSymlink, .source = std::string(text.data(), static_cast<std::size_t>(size)), .target = target};
  }
  if (errno != EINVAL) return std::nullopt;  // EINVAL: it is there, and no link
  return Mount{.kind = MountKind::kBind, .source = path, .target = target};
}

}  // namespace tally
