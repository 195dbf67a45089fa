#include "jobs/filetracker.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <filesystem>

#include "base/atomic_file.h"
#include "base/error.h"
#include "base/sys.h"
#include "jobs/files.h"

namespace tally {

FiletrackerName FiletrackerName::Parse(std::string_view text) {
  FiletrackerName out;
  const std::size_t at = text.find('@');
  out.path = std::string(text.substr(0, at));
  if (out.path.empty() || out.path.front() != '/') {
    throw UserError(fmt::format("\"{}\" is not a filetracker path: it must start with /", text));
  }
  for (const std::filesystem::path& part : std::filesystem::path(out.path)) {
    if (part == "..") throw UserError(fmt::format("\"{}\" is not a filetracker path: it has ..", text));
  }
  if (out.path.back() == '/') throw UserError(fmt::format("\"{}\" is not a filetracker path: it ends in /", text));
  if (at == std::string_view::npos) return out;
  const std::string_view digits = text.substr(at + 1);
  std::int64_t version = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), version);
  if (error != std::errc() || end != digits.data() + digits.size()) {
    throw UserError(fmt::format("\"{}\" is not a filetracker path: the version after @ must be a number", text));
  }
  out.version = version;
  return out;
}

std::string FiletrackerName::Versioned() const { return version ? fmt::format("{}@{}", path, *version) : path; }

LocalStore::LocalStore() {
  if (const char* directory = std::getenv("FILETRACKER_DIR")) {
    directory_ = directory;
  } else {
    const char* home = std::getenv("HOME");
    directory_ = std::string(home != nullptr ? home : "") + "/.filetracker-store";
  }
}

bool LocalStore::Has(const FiletrackerName& name) const { return ::access(PathOf(name).c_str(), F_OK) == 0; }

std::string LocalStore::Find(const FiletrackerName& name) const {
  const std::string path = PathOf(name);
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) {
    throw UserError(fmt::format("filetracker file {} is not in the store {} ({})", name.path, directory_,
                                ErrnoText(errno)));
  }
  if (name.version && *name.version != status.st_mtim.tv_sec) {
    throw UserError(fmt::format("filetracker file {} is wanted in version {}, but the store {} has version {}",
                                name.path, *name.version, directory_, status.st_mtim.tv_sec));
  }
  return path;
}

FiletrackerName LocalStore::Put(const FiletrackerName& name, const std::string& local_path) const {
  const std::string path = PathOf(name);
  std::error_code error;
  std::filesystem::create_directories(std::filesystem::path(path).parent_path(), error);
  if (error) throw UserError(fmt::format("filetracker store {}: {}", directory_, error.message()));
  AtomicFile file(path, "filetracker file " + name.path);
  CopyInto(local_path, file.fd(), path);
  file.Commit();
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) throw SystemError("stat " + path, errno);
  return {name.path, status.st_mtim.tv_sec};
}

}  // namespace tally
