#include "base/description_folders.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <utility>

#include "base/error.h"
#include "base/executable_path.h"

namespace tally {
namespace {

constexpr std::string_view kExtension = ".yaml";
constexpr std::string_view kTemplate = "template";

bool IsInside(const std::filesystem::path& file, const std::filesystem::path& folder) {
  return std::mismatch(folder.begin(), folder.end(), file.begin(), file.end()).first == folder.end();
}

}  // namespace

std::optional<std::string> UserFolder(const char* variable, const std::string& fallback) {
  const char* chosen = std::getenv(variable);
  if (chosen != nullptr && chosen[0] == '/') return fmt::format("{}/tally", chosen);
  const char* home = std::getenv("HOME");
  if (home == nullptr || home[0] != '/') return std::nullopt;
  return fmt::format("{}/{}/tally", home, fallback);
}

std::vector<std::string> FoldersOfExecutable(const std::filesystem::path& executable, const std::string& kind) {
  // A source tree is trusted only by the executables built beside it: an installed one must not read a
  // path that may by now be somebody else's. And what is built and tested is no affair of the machine's.
  if (IsInside(executable, TALLY_BINARY_DIR)) return {fmt::format("{}/{}", TALLY_SOURCE_DIR, kind)};
  std::vector<std::string> folders{"/etc/tally/" + kind};
  if (!executable.empty()) folders.push_back(executable.parent_path().parent_path() / "share/tally" / kind);
  const std::string installed = fmt::format("{}/{}", TALLY_SHARE_DIR, kind);
  if (std::find(folders.begin(), folders.end(), installed) == folders.end()) folders.push_back(installed);
  return folders;
}

DescriptionFolders::DescriptionFolders(const char* variable, const std::string& kind) {
  const char* value = std::getenv(variable);
  for (std::string_view rest = value != nullptr ? value : ""; !rest.empty();) {
    const std::size_t colon = std::min(rest.find(':'), rest.size());
    if (colon > 0) folders_.emplace_back(rest.substr(0, colon));
    rest.remove_prefix(std::min(colon + 1, rest.size()));
  }
  if (const auto user = UserFolder("XDG_CONFIG_HOME", ".config")) folders_.push_back(*user + "/" + kind);
  for (std::string& folder : FoldersOfExecutable(ExecutablePath(), kind)) folders_.push_back(std::move(folder));
}

bool DescriptionFolders::IsName(std::string_view name) {
  const auto allowed = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ||
           c == '_' || c == '+' || c == '-';
  };
  return !name.empty() && name.size() < 100 && name.front() != '.' &&
         std::all_of(name.begin(), name.end(), allowed);
}

std::optional<std::string> DescriptionFolders::Find(std::string_view name) const {
  if (!IsName(name) || name == kTemplate) return std::nullopt;
  for (const std::string& folder : folders_) {
    std::string path = fmt::format("{}/{}{}", folder, name, kExtension);
    std::error_code error;
    // A dangling link or a folder of that name is found too: reading it then says what is wrong.
    const std::filesystem::file_type type = std::filesystem::symlink_status(path, error).type();
    if (type == std::filesystem::file_type::not_found || error == std::errc::permission_denied) continue;
    if (error) throw SystemError("stat " + path, error.value());
    return path;
  }
  return std::nullopt;
}

std::vector<DescriptionFile> DescriptionFolders::List() const {
  std::vector<DescriptionFile> out;
  std::set<std::string> seen;
  for (const std::string& folder : folders_) {
    std::vector<DescriptionFile> here;
    std::error_code error;
    for (std::filesystem::directory_iterator it(folder, error), end; !error && it != end;
         it.increment(error)) {
      const std::filesystem::path& path = it->path();
      const std::string name = path.stem();
      if (path.extension() != kExtension || !IsName(name) || name == kTemplate) continue;
      if (seen.insert(name).second) here.push_back({name, path});
    }
    std::sort(here.begin(), here.end(),
              [](const DescriptionFile& a, const DescriptionFile& b) { return a.name < b.name; });
    out.insert(out.end(), here.begin(), here.end());
  }
  return out;
}

std::string DescriptionFolders::PathOf(const std::string& file) const {
  for (const std::string& folder : folders_) {
    const std::string path = fmt::format("{}/{}", folder, file);
    std::error_code error;
    if (std::filesystem::exists(path, error)) return path;
  }
  return file;
}

std::string DescriptionFolders::Searched() const {
  std::string out;
  for (const std::string& folder : folders_) {
    std::error_code error;
    const bool exists = std::filesystem::is_directory(folder, error);
    out += fmt::format("{}{}{}", out.empty() ? "" : ", ", folder, exists ? "" : " (no such folder)");
  }
  return out.empty() ? "none" : out;
}

}  // namespace tally
