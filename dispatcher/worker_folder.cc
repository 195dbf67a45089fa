#include "dispatcher/worker_folder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
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

std::string Parent(const std::string& configured) {
  if (!configured.empty()) return configured;
  const char* const temporary = std::getenv("TMPDIR");
  return std::string(temporary != nullptr && *temporary != '\0' ? temporary : "/tmp") +
         fmt::format("/tally-workers-{}", ::geteuid());
}

}  // namespace

WorkerFolder::WorkerFolder(const std::string& configured) {
  const std::string parent = Parent(configured);
  std::error_code error;
  fs::create_directories(parent, error);
  if (error) throw UserError(fmt::format("work_folder: {}: {}", parent, error.message()));
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
