#include "serve/run_folder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/openat2.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>

#include "base/error.h"
#include "base/folder_tree.h"
#include "base/sys.h"
#include "supervisor/run/process_executor.h"
#include "supervisor/sandbox/private_mounts.h"

namespace tally::serve {
namespace {

namespace fs = std::filesystem;

constexpr mode_t kFolderMode = 0755, kFileMode = 0755;

// "/w/a/b", "a/b" -> "a/b"
std::string Below(const std::string& name) {
  fs::path path = fs::path(name).lexically_normal();
  if (path.is_absolute()) path = path.lexically_relative("/w");
  const std::string text = path.string();
  const bool leads_out = text.empty() || text == "." || text == ".." || text.starts_with("../") || text.ends_with('/');
  if (leads_out || text.find('\0') != std::string::npos) throw UserError(fmt::format("\"{}\" is no file below /w", name));
  return text;
}

void GiveToProgram(const std::string& path) {
  if (!ProgramsChangeUser(Isolation::kFull)) return;
  if (const int error = ProcessExecutor().sandboxes().user().Own(path); error != 0) throw SystemError("chown " + path, error);
}

}  // namespace

RunFolder::RunFolder(Bytes size) : size_(size), path_(MountTmpfsForRuns(size)), folder_(sys::Open(path_, O_PATH | O_DIRECTORY)) {}

// Who is another user can neither write to it nor change its mode, but may have put another in its place.
bool RunFolder::IsAsPlaced() const {
  struct stat now {};
  const struct stat& placed = kept_->placed;
  return ::fstatat(folder_.get(), kept_->program.name.c_str(), &now, AT_SYMLINK_NOFOLLOW) == 0 && now.st_ino == placed.st_ino && now.st_dev == placed.st_dev &&
         now.st_mode == placed.st_mode && now.st_uid == placed.st_uid && now.st_nlink == placed.st_nlink && now.st_size == placed.st_size &&
         now.st_ctim.tv_sec == placed.st_ctim.tv_sec && now.st_ctim.tv_nsec == placed.st_ctim.tv_nsec;
}

// What is put into a tmpfs's folder, or taken out of it, changes its size (mm/shmem.c, BOGO_DIRENT_SIZE), even within one tick of its times. So
// there is as much in it as then; and IsAsPlaced says what that is.
bool RunFolder::IsAsRenewed() const {
  if (!renewed_) return false;
  const struct stat now = sys::Stat(folder_.get(), path_);
  const struct stat& then = *renewed_;
  const auto is_same = [](const timespec& a, const timespec& b) { return a.tv_sec == b.tv_sec && a.tv_nsec == b.tv_nsec; };
  return now.st_size == then.st_size && now.st_nlink == then.st_nlink && now.st_mode == then.st_mode && now.st_uid == then.st_uid && now.st_gid == then.st_gid &&
         is_same(now.st_atim, then.st_atim) && is_same(now.st_mtim, then.st_mtim) && is_same(now.st_ctim, then.st_ctim);
}

// Emptied and not replaced: a sandbox shows it.
void RunFolder::Renew(const std::optional<StoredProgram>& program) {
  if (kept_ && (kept_->program != program || !IsAsPlaced())) {
    kept_.reset();
    renewed_.reset();
  }
  if (IsAsRenewed()) return;
  renewed_.reset();
  if (!EmptyFolder(path_, kept_ ? kept_->program.name : "")) throw SystemError(fmt::format("empty {}: something that a program left cannot be removed", path_), 0);
  if (::chmod(path_.c_str(), kFolderMode) != 0) throw SystemError("chmod " + path_, errno);
  GiveToProgram(path_);
  if (::utimensat(AT_FDCWD, path_.c_str(), nullptr, 0) != 0) throw SystemError("utimensat " + path_, errno);  // they are the program's to set
  renewed_ = sys::Stat(folder_.get(), path_);
}

// The folder that a file is to lie in, made where it is not there, and the file's own name. A link on the way is none of ours, though the same
// command may have asked for it.
Fd RunFolder::FolderOf(const std::string& name, std::string* last) const {
  const fs::path below = Below(name);
  Fd folder = sys::Open(path_, O_RDONLY | O_DIRECTORY);
  std::string path = path_;
  for (const fs::path& part : below.parent_path()) {
    path += "/" + part.string();
    if (::mkdirat(folder.get(), part.c_str(), kFolderMode) == 0) {
      GiveToProgram(path);
    } else if (errno != EEXIST) {
      throw UserError(fmt::format("copyIn: {}: {}", name, ErrnoText(errno)));
    }
    folder = Fd(::openat(folder.get(), part.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    if (!folder.valid()) throw UserError(fmt::format("copyIn: {}: {}", name, ErrnoText(errno)));
  }
  *last = below.filename();
  return folder;
}

Fd RunFolder::Make(const std::string& name) const {
  std::string last;
  const Fd folder = FolderOf(name, &last);
  Fd file(::openat(folder.get(), last.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, kFileMode));
  if (!file.valid()) throw UserError(fmt::format("copyIn: {}: {}", name, ErrnoText(errno)));
  ::fchmod(file.get(), kFileMode);
  GiveToProgram(path_ + "/" + Below(name));
  return file;
}

void RunFolder::RequireRoom(const std::string& name, int error) const {
  if (error == ENOSPC) throw UserError(fmt::format("copyIn: {}: /w has room for {} bytes (--work-size)", name, size_.count));
}

void RunFolder::Write(const std::string& name, std::string_view content) const {
  try {
    sys::WriteAll(Make(name).get(), content, name);
  } catch (const SystemError& error) {
    RequireRoom(name, error.error());
    throw;
  }
}

void RunFolder::PlaceProgram(const StoredProgram& program, int from) {
  if (!ProgramsChangeUser(Isolation::kFull)) return Copy(program.name, from);
  const std::string path = path_ + "/" + Below(program.name);
  {
    const Fd file(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, kFileMode));
    if (!file.valid()) throw UserError(fmt::format("copyIn: {}: {}", program.name, ErrnoText(errno)));
    ::fchmod(file.get(), kFileMode);
    Fill(file, program.name, from);
  }
  Kept kept{program, {}};
  if (::lstat(path.c_str(), &kept.placed) != 0) throw SystemError("stat " + path, errno);
  kept_ = kept;
}

void RunFolder::Copy(const std::string& name, int from) const { Fill(Make(name), name, from); }

void RunFolder::Fill(const Fd& to, const std::string& name, int from) const {
  for (;;) {
    const ssize_t n = ::sendfile(to.get(), from, nullptr, 1 << 20);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) {
      const int error = errno;
      RequireRoom(name, error);
      throw SystemError("copy to " + name, error);
    }
    if (n == 0) return;
  }
}

void RunFolder::Link(const std::string& name, const std::string& target) const {
  std::string last;
  const Fd folder = FolderOf(name, &last);
  if (::symlinkat(target.c_str(), folder.get(), last.c_str()) != 0) throw UserError(fmt::format("copyIn: {}: {}", name, ErrnoText(errno)));
}

RunFolder::Opened RunFolder::Open(const std::string& name) const {
  Opened opened;
  std::string below;
  try {
    below = Below(name);
  } catch (const UserError&) {
    opened.error = EINVAL;
    return opened;
  }
  const Fd root = sys::Open(path_, O_PATH | O_DIRECTORY);
  open_how how{};
  how.flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY;
  how.resolve = RESOLVE_BENEATH;
  opened.file = Fd(static_cast<int>(::syscall(SYS_openat2, root.get(), below.c_str(), &how, sizeof how)));
  if (!opened.file.valid()) {
    opened.error = errno;
    return opened;
  }
  const struct stat status = sys::Stat(opened.file.get(), name);
  if (!S_ISREG(status.st_mode)) opened.error = S_ISDIR(status.st_mode) ? EISDIR : EINVAL;
  opened.size = static_cast<std::uint64_t>(status.st_size);
  return opened;
}

}  // namespace tally::serve
