#include "supervisor/sandbox/reused_mounts.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

namespace tally {
namespace {

bool SameTime(const timespec& a, const timespec& b) { return a.tv_sec == b.tv_sec && a.tv_nsec == b.tv_nsec; }

bool IsAsMade(int directory, const struct stat& made) {
  struct stat now {};
  return ::fstat(directory, &now) == 0 && now.st_mode == made.st_mode && now.st_uid == made.st_uid &&
         now.st_gid == made.st_gid && now.st_nlink == made.st_nlink && now.st_size == made.st_size &&
         SameTime(now.st_atim, made.st_atim) && SameTime(now.st_mtim, made.st_mtim) &&
         SameTime(now.st_ctim, made.st_ctim);
}

}  // namespace

void ReusedMounts::Keep(pid_t init, bool init_stays, const std::vector<Mount>& run_mounts) {
  const bool keeps = Keeps();
  ++runs_;
  Forget();
  has_proc_ = std::any_of(run_mounts.begin(), run_mounts.end(), [](const Mount& mount) { return mount.kind == MountKind::kProc; });
  if (!keeps || (has_proc_ && !init_stays)) return;
  for (const Mount& mount : run_mounts) {
    if (mount.kind == MountKind::kProc) continue;
    Fd directory(::open(fmt::format("/proc/{}/root{}", init, mount.target).c_str(), O_PATH | O_CLOEXEC));
    struct stat made {};
    if (!directory.valid() || ::fstat(directory.get(), &made) != 0) return;
    tmpfs_.push_back({std::move(directory), made});
  }
  namespace_ = Fd(::open(fmt::format("/proc/{}/ns/mnt", init).c_str(), O_RDONLY | O_CLOEXEC));
  owner_ = ::getpid();
}

bool ReusedMounts::AreAsMade() {
  const bool usable = namespace_.valid() && owner_ == ::getpid() && std::all_of(tmpfs_.begin(), tmpfs_.end(), [](const Watched& watched) {
    return IsAsMade(watched.directory.get(), watched.made);
  });
  if (!usable) Forget();
  return usable;
}

int ReusedMounts::Namespace() {
  if (has_proc_) Forget();  // its process namespace ends with its init
  return AreAsMade() ? namespace_.get() : -1;
}

void ReusedMounts::Forget() {
  namespace_.Reset();
  tmpfs_.clear();
}

}  // namespace tally
