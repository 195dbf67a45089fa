#include "front_ends/isolate/box.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <fts.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <memory>

#include "base/error.h"
#include "base/sys.h"
#include "base/temporary_directory.h"
#include "front_ends/isolate/keeper.h"

namespace tally::isolate {
namespace {

constexpr std::uint32_t kMostBoxes = 1'000'000;

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

void MakeFolder(const std::string& path, mode_t mode) {
  if (::mkdir(path.c_str(), mode) != 0) throw SystemError("mkdir " + path, errno);
}

}  // namespace

Box::Box(const Options& options) : waits_(options.wait), root_(RootOfBoxes()), folder_(fmt::format("{}/{}", root_, options.box)) {
  if (options.box >= kMostBoxes) throw UserError(fmt::format("--box-id: {}: expected less than {}", options.box, kMostBoxes));
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

void Box::Make() {
  std::error_code error;
  std::filesystem::create_directories(root_, error);
  if (error) throw UserError(fmt::format("{}: {}", root_, error.message()));
  Lock(O_CREAT);
  EndKeeper(*this);
  RemoveFolder(folder_);
  MakeFolder(folder_, 0755);
  MakeFolder(work_folder(), 0700);
  if (caller_ && ::chown(work_folder().c_str(), caller_->user, caller_->group) != 0) throw SystemError("chown " + work_folder(), errno);
}

void Box::Enter() {
  Lock(0);
  std::error_code error;
  if (!std::filesystem::is_directory(work_folder(), error)) throw UserError(fmt::format("box {} is not there: `isolate --init` makes it", folder_));
}

// The lock stays: who waits for it has it open, and would lock what nobody else finds any more.
void Box::Remove() {
  std::error_code error;
  if (!std::filesystem::exists(folder_ + ".lock", error)) return;
  Lock(0);
  EndKeeper(*this);
  RemoveFolder(folder_);
}

void Box::Give(std::optional<Owner> owner, bool special_files_are_kept) const {
  if (caller_ && !owner) owner = caller_;
  std::string path = work_folder();
  char* const roots[] = {path.data(), nullptr};
  const std::unique_ptr<FTS, decltype(&::fts_close)> tree(::fts_open(roots, FTS_PHYSICAL | FTS_XDEV, nullptr), ::fts_close);
  if (tree == nullptr) throw SystemError("fts_open " + path, errno);
  while (const FTSENT* entry = ::fts_read(tree.get())) {
    // fts(3) has changed into the entry's folder.
    const bool is_folder = entry->fts_info == FTS_D || entry->fts_info == FTS_DNR;
    if (entry->fts_info == FTS_ERR || entry->fts_info == FTS_NS) throw SystemError(fmt::format("look into {}", path), entry->fts_errno);
    if (entry->fts_info == FTS_DP) continue;
    if (!is_folder && entry->fts_info != FTS_F && !special_files_are_kept) {
      if (::unlink(entry->fts_accpath) != 0) throw SystemError(fmt::format("unlink what is no file in {}", path), errno);
    } else if (owner && ::lchown(entry->fts_accpath, owner->user, owner->group) != 0) {
      throw SystemError(fmt::format("chown what is in {}", path), errno);
    }
  }
}

}  // namespace tally::isolate
