#include "dispatcher/worker_folder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <optional>

#include "base/error.h"
#include "base/sys.h"
#include "jobs/files.h"

namespace tally {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPrefix = "worker-";
constexpr const char* kLock = "/lock";

Fd OpenLock(const std::string& path) {
  Fd fd(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600));
  if (!fd.valid()) throw UserError(fmt::format("work_folder: {}: {}", path, ErrnoText(errno)));
  return fd;
}

void RemoveAbandoned(const std::string& parent) {
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(parent, ignored)) {
    if (!entry.path().filename().string().starts_with(kPrefix) || entry.is_symlink(ignored)) continue;
    const std::optional<Fd> lock = sys::TryOpen(entry.path().string() + kLock, O_RDWR | O_CLOEXEC);
    if (lock && ::flock(lock->get(), LOCK_EX | LOCK_NB) == 0) RemoveFolder(entry.path());
  }
}

// Where everybody may write, somebody else may have been there first, and would find and change what we work on.
void RequireOwn(const std::string& folder) {
  struct stat status {};
  if (::lstat(folder.c_str(), &status) != 0) throw UserError(fmt::format("work_folder: {}: {}", folder, ErrnoText(errno)));
  if (S_ISDIR(status.st_mode) && status.st_uid == ::geteuid() && (status.st_mode & (S_IWGRP | S_IWOTH)) == 0) return;
  throw UserError(fmt::format("work_folder: {} is not a folder that only we may write to; name another one", folder));
}

std::string MadeParent(const std::string& configured) {
  if (!configured.empty()) {
    std::error_code error;
    fs::create_directories(configured, error);
    if (error) throw UserError(fmt::format("work_folder: {}: {}", configured, error.message()));
    return configured;
  }
  const char* const temporary = std::getenv("TMPDIR");
  const std::string folder = std::string(temporary != nullptr && *temporary != '\0' ? temporary : "/tmp") +
                             fmt::format("/tally-workers-{}", ::geteuid());
  if (::mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST) {
    throw UserError(fmt::format("work_folder: {}: {}", folder, ErrnoText(errno)));
  }
  RequireOwn(folder);
  return folder;
}

}  // namespace

WorkerFolder::WorkerFolder(const std::string& configured) {
  const std::string parent = MadeParent(configured);
  // Between a folder's making and its locking nobody else may sweep.
  const Fd starting = OpenLock(parent + kLock);
  ::flock(starting.get(), LOCK_EX);
  RemoveAbandoned(parent);
  path_ = fmt::format("{}/{}XXXXXX", parent, kPrefix);
  if (::mkdtemp(path_.data()) == nullptr) {
    throw UserError(fmt::format("work_folder: {}: {}", parent, ErrnoText(errno)));
  }
  lock_ = OpenLock(path_ + kLock);
  ::flock(lock_.get(), LOCK_EX);
}

WorkerFolder::~WorkerFolder() { RemoveFolder(path_); }

}  // namespace tally
