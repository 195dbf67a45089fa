#include "base/temporary_directory.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <utility>

#include "base/error.h"

namespace tally {
namespace {

constexpr std::string_view kJobPrefix = "tally-job-";
constexpr std::size_t kRandomLetters = 6;

// Folders of processes that were killed: nobody holds a lock on them. Others of this machine's users are none of ours.
void RemoveAbandoned(const std::string& parent) {
  std::error_code ignored;
  for (std::filesystem::directory_iterator it(parent, ignored), end; !ignored && it != end; it.increment(ignored)) {
    const std::string name = it->path().filename();
    if (!name.starts_with(kJobPrefix) || name.size() != kJobPrefix.size() + kRandomLetters) continue;
    const Fd folder(::open(it->path().c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    struct stat status {};
    if (!folder.valid() || ::fstat(folder.get(), &status) != 0 || status.st_uid != ::geteuid()) continue;
    if (::flock(folder.get(), LOCK_EX | LOCK_NB) == 0) RemoveFolder(it->path());
  }
}

}  // namespace

TemporaryDirectory::TemporaryDirectory() {
  const char* const given = std::getenv("TMPDIR");
  const std::string parent = given != nullptr && *given != '\0' ? given : "/tmp";
  static pid_t swept_by = 0;
  if (std::exchange(swept_by, ::getpid()) != ::getpid()) RemoveAbandoned(parent);
  do {
    path_ = fmt::format("{}/{}{}", parent, kJobPrefix, std::string(kRandomLetters, 'X'));
    if (::mkdtemp(path_.data()) == nullptr) throw SystemError("make a temporary directory " + path_, errno);
  } while (!Lock());
}

// It has its name from the first moment, so a sweep may find it before it is locked, and take it away.
bool TemporaryDirectory::Lock() {
  lock_ = Fd(::open(path_.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  struct stat status {};
  if (lock_.valid() && ::flock(lock_.get(), LOCK_EX | LOCK_NB) == 0 && ::fstat(lock_.get(), &status) == 0) {
    return status.st_nlink > 0;
  }
  const int error = errno;
  if (error == ENOENT || error == EWOULDBLOCK) return false;
  ::rmdir(path_.c_str());
  throw SystemError("lock the temporary directory " + path_, error);
}

TemporaryDirectory::~TemporaryDirectory() { RemoveFolder(path_); }

}  // namespace tally
