#include "base/atomic_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>

#include "base/error.h"
#include "base/fd.h"
#include "base/sys.h"

namespace tally {
namespace {

// Though what /dev/stdout leads to may be a file: a rename would put another in the link's place, for everybody.
bool IsStreamsName(const std::string& path) {
  struct stat status {};
  return (path.starts_with("/dev/") || path.starts_with("/proc/")) && ::lstat(path.c_str(), &status) == 0 && S_ISLNK(status.st_mode);
}

}  // namespace

AtomicFile::AtomicFile(std::string path, std::string what) : path_(std::move(path)), what_(std::move(what)) {
  struct stat status {};
  if (::stat(path_.c_str(), &status) == 0) {
    if (S_ISDIR(status.st_mode)) Fail("write", EISDIR);
    // A rename would put a file in the place of /dev/null.
    if (!S_ISREG(status.st_mode) || IsStreamsName(path_)) throw UserError(fmt::format("{}: {} is not a regular file", what_, path_));
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

void WriteFileOrStream(const std::string& path, std::string_view data, const std::string& what) {
  struct stat status {};
  const bool is_stream = ::stat(path.c_str(), &status) == 0 && (!S_ISREG(status.st_mode) || IsStreamsName(path));
  if (!is_stream) return WriteFileAtomically(path, data, what);
  const Fd stream(::open(path.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC | O_NOCTTY));
  if (!stream.valid()) throw UserError(fmt::format("{}: cannot write {}: {}", what, path, ErrnoText(errno)));
  sys::WriteAll(stream.get(), data, path);
}

}  // namespace tally
