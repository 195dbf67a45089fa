#include "base/cache_folder.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>

#include "base/description_folders.h"
#include "base/error.h"

namespace tally {

std::string AbsolutePathIn(const char* variable, const std::string& value) {
  if (!value.starts_with('/')) throw UserError(fmt::format("{}: found \"{}\"; expected an absolute path", variable, value));
  return value;
}

bool IsOursAlone(const struct stat& status) { return status.st_uid == ::geteuid() && (status.st_mode & 077) == 0; }

std::optional<std::string> CacheFolder(const std::string& kind) {
  const char* const chosen = std::getenv("TALLY_CACHE");
  if (chosen != nullptr && *chosen != '\0') return AbsolutePathIn("TALLY_CACHE", chosen) + "/" + kind;
  if (::geteuid() == 0) return "/var/cache/tally/" + kind;
  if (const auto user = UserFolder("XDG_CACHE_HOME", ".cache")) return *user + "/" + kind;
  return std::nullopt;
}

}  // namespace tally
