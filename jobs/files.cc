#include "jobs/files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/atomic_file.h"
#include "base/error.h"
#include "base/sys.h"
#include "supervisor/sandbox/private_mounts.h"
#include "supervisor/sandbox/sandbox_user.h"

namespace tally {

void LetProgramsPass(const TemporaryDirectory& directory, Isolation isolation) {
  if (isolation == Isolation::kFull || !ProgramsChangeUser(isolation)) return;
  const std::string& path = directory.path();
  if (::chown(path.c_str(), static_cast<uid_t>(-1), SandboxUser::gid()) != 0) throw SystemError("chown " + path, errno);
  if (::chmod(path.c_str(), 0710) != 0) throw SystemError("chmod " + path, errno);
}

Fd NewFile(const std::string& path) {
  ::unlink(path.c_str());
  return sys::Open(path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND, 0600);
}

std::string LastWords(const std::string& path) {
  constexpr off_t kMost = 2048;
  const Fd file = sys::Open(path, O_RDONLY);
  const off_t size = sys::Stat(file.get(), path).st_size, begin = std::max<off_t>(0, size - kMost);
  std::string text(static_cast<std::size_t>(size - begin), '\0');
  const ssize_t n = ::pread(file.get(), text.data(), text.size(), begin);
  text.resize(n > 0 ? static_cast<std::size_t>(n) : 0);
  if (begin > 0) text.erase(0, text.find('\n') + 1);  // whole lines, where there are any
  return text;
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

namespace {

// Whoever sends a job to a worker does not choose whom that asks.
std::string ServerFor(const Environ& environ) {
  const char* const url = std::getenv("FILETRACKER_URL");
  const std::string ours = url != nullptr ? url : "";
  return environ.rules().plain_paths ? environ.TextOr("filetracker_url", ours) : ours;
}

}  // namespace

JobFiles::JobFiles(const Environ& environ) : mode_(Mode::kTracked), rules_(environ.rules()), remote_(ServerFor(environ)) {
  if (rules_.user && !remote_.is_there()) users_.emplace(store_, *rules_.user, rules_.bounds.stored);
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
  if (!rules_.private_store.empty() && own.Has(tracked)) return own.Find(tracked);
  if (users_ && users_->files().Has(tracked)) return users_->files().Find(tracked);
  return remote_.is_there() ? remote_.Fetch(tracked.Versioned()) : store_.Find(tracked);
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

std::string JobFiles::Publish(std::string_view key, const std::string& name, const std::string& local_path, unsigned mode, bool upload) const {
  CheckPlain(key, name);
  try {
    return PublishAs(std::string(key), name, local_path, mode, upload);
  } catch (const UserError& error) {
    const std::string prefix = std::string(key) + ": ";
    if (std::string_view(error.what()).substr(0, prefix.size()) == prefix) throw;
    throw UserError(prefix + error.what());
  }
}

std::string JobFiles::PublishAs(const std::string& key, const std::string& name, const std::string& local_path, unsigned mode, bool upload) const {
  if (IsTracked(name)) {
    FiletrackerName target = FiletrackerName::Parse(name);
    target.version.reset();
    if (remote_.is_there() && upload && !rules_.private_out) return remote_.Put(target.path, local_path);
    if (rules_.private_out) return LocalStore(rules_.private_store).Put(target, local_path).Versioned();
    return (users_ ? users_->Put(target, local_path) : store_.Put(target, local_path)).Versioned();
  }
  AtomicFile file(name, key);
  CopyInto(local_path, file.fd(), name);
  if (mode != 0) ::fchmod(file.fd(), mode);
  file.Commit();
  return name;
}

}  // namespace tally
