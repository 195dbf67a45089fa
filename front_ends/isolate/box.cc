#include "front_ends/isolate/box.h"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/folder_tree.h"
#include "base/sys.h"
#include "front_ends/isolate/keeper.h"

namespace tally::isolate {
namespace {

std::string RootOfBoxes() {
  const auto variable = [](const char* name) {
    const char* const value = std::getenv(name);
    return std::string(value != nullptr ? value : "");
  };
  if (const std::string root = variable("TALLY_ISOLATE_ROOT"); !root.empty()) return std::filesystem::absolute(root).lexically_normal();
  if (::geteuid() == 0) return "/var/local/lib/isolate";
  if (const std::string state = variable("XDG_STATE_HOME"); !state.empty()) return state + "/tally/isolate";
  if (const std::string home = variable("HOME"); !home.empty()) return home + "/.local/state/tally/isolate";
  throw UserError("there is no HOME to have boxes in; set TALLY_ISOLATE_ROOT");
}

// Deeper than any task needs. What lies below is removed, for to keep it takes a descriptor a level.
constexpr int kDeepest = 100;

struct CloseFolder {
  void operator()(DIR* folder) const { ::closedir(folder); }
};

// Removes one that is to be removed, and says so if it cannot.
void Remove(int folder, const char* name) {
  if (!RemoveIn(folder, name)) throw SystemError(fmt::format("remove {} from a box", name), errno);
}

void GiveAllIn(int folder, const std::optional<Owner>& owner, bool special_files_are_kept, int levels) {
  const std::unique_ptr<DIR, CloseFolder> names(::fdopendir(sys::Duplicate(folder).Release()));
  if (names == nullptr) throw SystemError("read a folder of a box", errno);
  while (const dirent* entry = ::readdir(names.get())) {
    const char* const name = entry->d_name;
    struct stat status {};
    if (std::string_view(name) == "." || std::string_view(name) == ".." || ::fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) != 0) continue;
    const bool is_folder = S_ISDIR(status.st_mode), is_file = S_ISREG(status.st_mode);
    if ((!is_folder && !is_file && !special_files_are_kept) || (is_folder && levels == 0)) {
      Remove(folder, name);
      continue;
    }
    // Nobody executes a file of a box as its owner, and none of its folders is closed to who owns it.
    if (is_folder) ::fchmodat(folder, name, (status.st_mode & 0777) | 0700, 0);
    if (is_file && (status.st_mode & 06000) != 0) ::fchmodat(folder, name, status.st_mode & 0777, 0);
    if (owner && ::fchownat(folder, name, owner->user, owner->group, AT_SYMLINK_NOFOLLOW) != 0) throw SystemError(fmt::format("chown {} in a box", name), errno);
    if (!is_folder) continue;
    const Fd inside(::openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    if (inside.valid()) {
      GiveAllIn(inside.get(), owner, special_files_are_kept, levels - 1);
    } else {
      Remove(folder, name);
    }
  }
}

bool IsSame(const std::string& path, const struct stat& made) {
  struct stat now {};
  // A link in its place may have its number.
  return ::lstat(path.c_str(), &now) == 0 && S_ISDIR(now.st_mode) && now.st_dev == made.st_dev && now.st_ino == made.st_ino;
}

// Lists of access rights among them (acl(5)).
std::string AttributesOf(const std::string& path) {
  std::array<char, 4096> names{}, value{};
  const ssize_t size = ::llistxattr(path.c_str(), names.data(), names.size());
  std::string found = size < 0 && errno == ERANGE ? "more than ours have" : "";
  for (ssize_t at = 0; at < size; at += static_cast<ssize_t>(std::strlen(&names.at(at))) + 1) {
    const ssize_t length = ::lgetxattr(path.c_str(), &names.at(at), value.data(), value.size());
    found.append(&names.at(at)).push_back('\0');
    found.append(value.data(), static_cast<std::size_t>(std::max<ssize_t>(length, 0))).push_back('\0');
  }
  return found;
}

// Where what a folder lists goes on from, for one that has a file more.
std::vector<long> PlacesIn(const std::string& path) {
  const std::string file = path + "/.probe";
  std::vector<long> places;
  if (!Fd(::open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600)).valid()) return places;
  const std::unique_ptr<DIR, CloseFolder> names(::opendir(path.c_str()));
  while (const dirent* entry = names != nullptr ? ::readdir(names.get()) : nullptr) places.push_back(entry->d_off);
  ::unlink(file.c_str());
  return places;
}

// Tmpfs and btrfs number the names of a folder as they come, and never begin again (getdents(2), d_off); ext4 and xfs have a place for each.
bool AreNamesCounted(const std::string& path) {
  const std::vector<long> first = PlacesIn(path);
  return first.empty() || first != PlacesIn(path);
}

void MakeFolder(const std::string& path, mode_t mode) {
  if (::mkdir(path.c_str(), mode) != 0) throw SystemError("mkdir " + path, errno);
}

}  // namespace

Box::Box(const Options& options) : waits_(options.wait), root_(RootOfBoxes()), folder_(fmt::format("{}/{}", root_, options.box)) {
  if (options.as_user) caller_ = Owner{*options.as_user, *options.as_group};
  if (caller_ && ::geteuid() != 0) throw UserError("--as-uid: only root acts for others");
}

void Box::Lock(int flags) {
  const std::string path = folder_ + ".lock";
  lock_ = Fd(::open(path.c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW | flags, 0600));
  if (!lock_.valid() && errno == ENOENT) throw UserError(fmt::format("box {} is not there: `isolate --init` makes it", folder_));
  if (!lock_.valid()) throw SystemError("open " + path, errno);
  while (::flock(lock_.get(), LOCK_EX | (waits_ ? 0 : LOCK_NB)) != 0) {
    if (errno == EWOULDBLOCK) throw UserError(fmt::format("box {} is in use", folder_));
    if (errno != EINTR) throw SystemError("lock " + path, errno);
  }
}

void Box::Unlock() {
  ::flock(lock_.get(), LOCK_UN);
  lock_.Reset();
}

void Box::Make() {
  std::error_code error;
  std::filesystem::create_directories(root_, error);
  if (error) throw UserError(fmt::format("{}: {}", root_, error.message()));
  Lock(O_CREAT);
  EndKeeper(*this);
  RemoveAll();
  MakeFolder(folder_, 0755);
  MakeFolder(work_folder(), 0700);
  if (caller_ && ::chown(work_folder().c_str(), caller_->user, caller_->group) != 0) throw SystemError("chown " + work_folder(), errno);
  if (::lstat(folder_.c_str(), &made_) != 0 || ::lstat(work_folder().c_str(), &made_work_) != 0) throw SystemError("stat " + work_folder(), errno);
  attributes_ = AttributesOf(folder_) + AttributesOf(work_folder());
}

void Box::Enter() {
  Lock(0);
  struct stat status {};
  if (::lstat(work_folder().c_str(), &status) != 0) throw UserError(fmt::format("box {} is not there: `isolate --init` makes it", folder_));
  RequireFolder(status);
}

// Its mode and owner will change: not those of what a link leads to.
void Box::RequireFolder(const struct stat& status) const {
  if (!S_ISDIR(status.st_mode)) throw UserError(fmt::format("{} is not a folder: `isolate --init` makes the box anew", work_folder()));
}

// The lock stays: who waits for it has it open, and would lock what nobody else finds any more.
void Box::Remove() {
  std::error_code error;
  if (!std::filesystem::exists(folder_ + ".lock", error)) return;
  Lock(0);
  EndKeeper(*this);
  RemoveAll();
}

bool Box::IsOurs() const { return IsSame(folder_, made_) && IsSame(work_folder(), made_work_); }

// Nothing of what was in it can be told by who comes next: what a folder's size says is looked at, and its times are new.
bool Box::IsAsMade() const {
  if (names_are_counted_) return false;
  struct stat now {}, work {};
  if (::lstat(folder_.c_str(), &now) != 0 || ::lstat(work_folder().c_str(), &work) != 0) return false;
  const auto is_same = [](const struct stat& a, const struct stat& b) {
    return a.st_dev == b.st_dev && a.st_ino == b.st_ino && a.st_mode == b.st_mode && a.st_uid == b.st_uid && a.st_gid == b.st_gid && a.st_nlink == b.st_nlink &&
           a.st_size == b.st_size;
  };
  return is_same(now, made_) && is_same(work, made_work_) && AttributesOf(folder_) + AttributesOf(work_folder()) == attributes_;
}

void Box::GetReadyToHide() {
  for (const auto& [path, made] : {std::pair{folder_, &made_}, {work_folder(), &made_work_}}) {
    struct stat now {};
    if (::lstat(path.c_str(), &now) == 0) made->st_uid = now.st_uid, made->st_gid = now.st_gid;
  }
  names_are_counted_ = AreNamesCounted(folder_);  // the same goes for box/, in which nobody but its users makes files
}

bool Box::Empty() const {
  // No link to one that somebody has moved is emptied.
  const bool is_empty = IsOurs() && EmptyFolder(folder_, "box") && EmptyFolder(work_folder());
  return is_empty && ::chmod(folder_.c_str(), made_.st_mode & 07777) == 0 && ::chmod(work_folder().c_str(), made_work_.st_mode & 07777) == 0 && IsAsMade() &&
         ::utimensat(AT_FDCWD, work_folder().c_str(), nullptr, 0) == 0;
}

bool Box::Hide() { return Empty() && ::rename(folder_.c_str(), hidden().c_str()) == 0; }

bool Box::Show() {
  if (::rename(hidden().c_str(), folder_.c_str()) != 0 && errno != ENOENT) return false;
  return Empty();
}

// Its root may have been removed meanwhile, and be another's.
void Box::RemoveHidden() const {
  if (IsSame(hidden(), made_)) RemoveFolder(hidden());
}

void Box::RemoveAll() const {
  struct stat status {};
  RemoveFolder(hidden());
  RemoveFolder(folder_);
  if (::lstat(folder_.c_str(), &status) == 0) throw SystemError(fmt::format("remove {}: something in it cannot be removed", folder_), 0);
}

void Box::Give(std::optional<Owner> owner, bool special_files_are_kept) const {
  if (caller_ && !owner) owner = caller_;
  struct stat status {};
  if (::lstat(work_folder().c_str(), &status) != 0) throw SystemError("stat " + work_folder(), errno);
  RequireFolder(status);
  const bool is_open = (status.st_mode & 07777) == 0700;  // a program may have closed it to its owner, too
  if (!is_open && ::chmod(work_folder().c_str(), 0700) != 0) throw SystemError("chmod " + work_folder(), errno);
  const Fd folder = sys::Open(work_folder(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  if (owner && ::fchown(folder.get(), owner->user, owner->group) != 0) throw SystemError("chown " + work_folder(), errno);
  GiveAllIn(folder.get(), owner, special_files_are_kept, kDeepest);
}

}  // namespace tally::isolate
