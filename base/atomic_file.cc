#include "base/atomic_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>

#include "base/error.h"

namespace tally {

AtomicFile::AtomicFile(std::string path, std::string what) : path_(std::move(path)), what_(std::move(what)) {
  struct stat status {};
  if (::stat(path_.c_str(), &status) == 0) {
    if (S_ISDIR(status.st_mode)) Fail("write", EISDIR);
    // A rename would put a file in the place of /dev/null.
    if (!S_ISREG(status.st_mode)) throw UserError(fmt::format("{}: {} is not a regular file", what_, path_));
  }
  temporary_ = path_ + ".tmp-XXXXXX";
  fd_ = Fd(::mkostemp(temporary_.data(), O_CLOEXEC | O_APPEND));
  if (!fd_.valid()) {
    const int error = errno;
    temporary_.clear();
    Fail("write", error);
  }
  // mkostemp makes 0600; a result is as readable as any file the user makes.
  const mode_t mask = ::umask(0);
  ::umask(mask);
  ::fchmod(fd_.get(), 0666 & ~mask);
}

AtomicFile::~AtomicFile() {
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void AtomicFile::Write(std::string_view data) {
  while (!data.empty()) {
    const ssize_t n = ::write(fd_.get(), data.data(), data.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) Fail("write", errno);
    data.remove_prefix(static_cast<std::size_t>(n));
  }
}

void AtomicFile::Commit() {
  if (::rename(temporary_.c_str(), path_.c_str()) != 0) Fail("write", errno);
  temporary_.clear();
  fd_.Reset();
}

void AtomicFile::Fail(std::string_view verb, int error) const {
  const auto slash = path_.rfind('/');
  if (error == ENOENT && slash != std::string::npos) {
    throw UserError(
        fmt::format("{}: cannot {} {}: folder {} does not exist", what_, verb, path_, path_.substr(0, slash)));
  }
  throw UserError(fmt::format("{}: cannot {} {}: {}", what_, verb, path_, ErrnoText(error)));
}

void WriteFileAtomically(const std::string& path, std::string_view data, const std::string& what) {
  AtomicFile file(path, what);
  file.Write(data);
  file.Commit();
}

}  // namespace tally
