#include "jobs/files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/atomic_file.h"
#include "base/error.h"
#include "base/sys.h"

namespace tally {
namespace {

// A program that may write to a folder of ours may also leave one there that is closed to us, its own user.
void OpenFolders(const std::string& folder) {
  ::chmod(folder.c_str(), 0700);
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(folder, ignored)) {
    if (entry.is_directory(ignored) && !entry.is_symlink(ignored)) OpenFolders(entry.path());
  }
}

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

void RemoveFolder(const std::string& path) {
  if (::rmdir(path.c_str()) == 0) return;  // an empty one goes also where no descriptor is left to read it
  std::error_code error;
  std::filesystem::remove_all(path, error);
  if (!error) return;
  OpenFolders(path);
  std::filesystem::remove_all(path, error);
}

void EmptyFolder(const std::string& path) {
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(path, ignored)) RemoveFolder(entry.path());
}

void CopyInto(const std::string& from, int to_fd, const std::string& to_name) {
  const Fd in = sys::Open(from, O_RDONLY);
  std::string buffer(1 << 20, '\0');
  for (;;) {
    const ssize_t n = ::read(in.get(), buffer.data(), buffer.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) throw SystemError("read " + from, errno);
    if (n == 0) return;
    for (ssize_t done = 0; done < n;) {
      const ssize_t written = ::write(to_fd, buffer.data() + done, static_cast<std::size_t>(n - done));
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) throw UserError(fmt::format("cannot write {}: {}", to_name, ErrnoText(errno)));
      done += written;
    }
  }
}

JobFiles::JobFiles(const Environ& environ) : mode_(Mode::kTracked), rules_(environ.file_rules()) {
  const auto& object = environ.object();
  const auto found = object.find("use_filetracker");
  if (found == object.end() || found->is_null()) return;
  if (*found == "auto") {
    mode_ = Mode::kAuto;
  } else {
    mode_ = environ.BoolOr("use_filetracker", true) ? Mode::kTracked : Mode::kPlain;
  }
}

bool JobFiles::IsTracked(const std::string& name) const {
  return mode_ == Mode::kTracked || (mode_ == Mode::kAuto && name.front() == '/');
}

std::string JobFiles::Find(const std::string& name) const {
  const FiletrackerName tracked = FiletrackerName::Parse(name);
  const LocalStore own(rules_.private_store);
  return (!rules_.private_store.empty() && own.Has(tracked) ? own : store_).Find(tracked);
}

void JobFiles::CheckPlain(std::string_view key, const std::string& name) const {
  if (rules_.plain_paths || IsTracked(name)) return;
  throw UserError(fmt::format("{}: \"{}\" would be a path of the machine that runs the job; expected a filetracker path "
                              "(use_filetracker: true)", key, name));
}

std::string JobFiles::Fetch(std::string_view key, const std::string& name) const {
  CheckPlain(key, name);
  std::string path = name;
  if (IsTracked(name)) {
    try {
      path = Find(name);
    } catch (const UserError& error) {
      throw UserError(fmt::format("{}: {}", key, error.what()));
    }
  }
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) throw UserError(fmt::format("{}: {}: {}", key, path, ErrnoText(errno)));
  if (S_ISDIR(status.st_mode)) throw UserError(fmt::format("{}: {} is a directory, not a file", key, path));
  if (!S_ISREG(status.st_mode)) throw UserError(fmt::format("{}: {} is not a regular file", key, path));
  if (::access(path.c_str(), R_OK) != 0) throw UserError(fmt::format("{}: {}: {}", key, path, ErrnoText(errno)));
  return std::filesystem::absolute(path);
}

std::string JobFiles::Publish(std::string_view key, const std::string& name, const std::string& local_path,
                              unsigned mode) const {
  CheckPlain(key, name);
  try {
    return PublishAs(std::string(key), name, local_path, mode);
  } catch (const UserError& error) {
    const std::string prefix = std::string(key) + ": ";
    if (std::string_view(error.what()).substr(0, prefix.size()) == prefix) throw;
    throw UserError(prefix + error.what());
  }
}

std::string JobFiles::PublishAs(const std::string& key, const std::string& name, const std::string& local_path,
                                unsigned mode) const {
  if (IsTracked(name)) {
    FiletrackerName target = FiletrackerName::Parse(name);
    target.version.reset();
    const LocalStore own(rules_.private_store);
    return (rules_.private_out ? own : store_).Put(target, local_path).Versioned();
  }
  AtomicFile file(name, key);
  CopyInto(local_path, file.fd(), name);
  if (mode != 0) ::fchmod(file.fd(), mode);
  file.Commit();
  return name;
}

}  // namespace tally
