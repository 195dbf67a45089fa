#include "cli/program_place.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/fd.h"
#include "jobs/program.h"

namespace tally {
namespace {

constexpr std::string_view kUsualPath = "/usr/local/bin:/usr/bin:/bin";

// `word` in each folder of `path`, in order; a word with a slash is itself one.
std::vector<std::string> Candidates(const std::string& word, std::string_view path) {
  if (word.find('/') != std::string::npos) return {word};
  std::vector<std::string> candidates;
  for (std::size_t start = 0; start <= path.size();) {
    const std::size_t end = std::min(path.find(':', start), path.size());
    candidates.push_back(fmt::format("{}/{}", path.substr(start, end - start), word));
    start = end + 1;
  }
  return candidates;
}

std::string OnThisMachine(const std::string& word) {
  if (word.find('/') != std::string::npos) return word;
  const char* path = std::getenv("PATH");
  for (const std::string& candidate : Candidates(word, path != nullptr ? path : kUsualPath)) {
    if (::access(candidate.c_str(), X_OK) == 0) return candidate;
  }
  if (::access(word.c_str(), X_OK) == 0) {
    throw UserError(fmt::format("{}: no such program in PATH; for the file in this folder write ./{}", word, word));
  }
  throw UserError(fmt::format("{}: no such program in PATH", word));
}

const Mount* MountOver(const RootSpec& root, const std::string& path) {
  const Mount* over = nullptr;
  for (const Mount& mount : root.mounts) {
    const bool covers = path.starts_with(mount.target + "/");
    if (covers && (over == nullptr || mount.target.size() >= over->target.size())) over = &mount;
  }
  return over;
}

// Links of the image lead to what is in the image.
bool IsProgramOf(const std::string& image, const std::string& path) {
  const Fd folder(::open(image.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  open_how how{.flags = O_PATH | O_CLOEXEC, .mode = 0, .resolve = RESOLVE_IN_ROOT};
  const Fd file(static_cast<int>(::syscall(SYS_openat2, folder.get(), path.c_str(), &how, sizeof how)));
  struct stat status {};
  return file.valid() && ::fstat(file.get(), &status) == 0 && S_ISREG(status.st_mode) && (status.st_mode & S_IXOTH) != 0;
}

std::optional<std::string> OfTheImage(const std::string& word, const RootSpec& root) {
  if (root.base_root.empty()) return std::nullopt;
  std::string_view path = kUsualPath;
  for (const std::string& entry : root.env) {
    if (entry.starts_with("PATH=")) path = std::string_view(entry).substr(std::string_view("PATH=").size());
  }
  for (const std::string& candidate : Candidates(word, path)) {
    if (!candidate.starts_with("/") || MountOver(root, candidate) != nullptr) continue;
    if (IsProgramOf(root.base_root, candidate)) return candidate;
  }
  return std::nullopt;
}

bool AnyoneMayExecute(const std::filesystem::path& path) {
  std::filesystem::path part;
  return std::all_of(path.begin(), path.end(), [&](const std::filesystem::path& name) {
    part /= name;
    const auto rights = std::filesystem::status(part).permissions();
    return (rights & std::filesystem::perms::others_exec) != std::filesystem::perms::none;
  });
}

// Where the sandbox shows this machine's program in its own place, the program is executed there: a runtime finds its libraries
// beside itself (java).
std::optional<std::string> PlaceOfItsOwn(const RootSpec& root, const std::string& program) {
  const std::filesystem::path path = std::filesystem::canonical(program);
  const Mount* shown = MountOver(root, path.native());
  const bool is_same = shown != nullptr && shown->kind == MountKind::kBind && shown->source == shown->target && shown->executable;
  return is_same && AnyoneMayExecute(path) ? std::optional(path.native()) : std::nullopt;
}

}  // namespace

std::string InBox(const std::string& path) { return "/box/" + std::filesystem::path(path).filename().string(); }

ProgramPlace FindProgram(const std::string& word, const RootSpec& root, bool full) {
  if (full) {
    if (const auto inside = OfTheImage(word, root)) return {*inside, root.base_root + *inside, false};
  }
  const std::string program = OnThisMachine(word);
  CheckExecutable("program", program);
  const std::string absolute = std::filesystem::absolute(program);
  if (full) {
    if (const auto inside = PlaceOfItsOwn(root, absolute)) return {*inside, program, false};
  }
  return {InBox(absolute), program, true};
}

}  // namespace tally
