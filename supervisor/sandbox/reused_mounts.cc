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

bool ReusedMounts::Keeps(const std::vector<Mount>& run_mounts) const {
  return runs_ > 0 && std::none_of(run_mounts.begin(), run_mounts.end(),
                                   [](const Mount& mount) { return mount.kind == MountKind::kProc; });
}

void ReusedMounts::Keep(pid_t init, const std::vector<Mount>& run_mounts) {
  const bool keeps = Keeps(run_mounts);
  ++runs_;
  if (!keeps) return;
  tmpfs_.clear();
  for (const Mount& mount : run_mounts) {
    Fd directory(::open(fmt::format("/proc/{}/root{}", init, mount.target).c_str(), O_PATH | O_CLOEXEC));
    struct stat made {};
    if (!directory.valid() || ::fstat(directory.get(), &made) != 0) return;
    tmpfs_.push_back({std::move(directory), made});
  }
  namespace_ = Fd(::open(fmt::format("/proc/{}/ns/mnt", init).c_str(), O_RDONLY | O_CLOEXEC));
  owner_ = ::getpid();
}

int ReusedMounts::Namespace() {
  const bool usable = owner_ == ::getpid() && std::all_of(tmpfs_.begin(), tmpfs_.end(), [](const Watched& watched) {
    return IsAsMade(watched.directory.get(), watched.made);
  });
  if (!usable) {
    namespace_.Reset();
    tmpfs_.clear();
  }
  return namespace_.get();
}

}  // namespace tally
