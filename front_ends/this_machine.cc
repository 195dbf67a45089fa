#include "front_ends/this_machine.h"

#include <algorithm>

#include "sandboxes/host_mount.h"

namespace tally {

namespace fs = std::filesystem;

// A home may have a socket or a fifo in it, which a read-only mount does not close.
RootSpec RootOfThisMachine() {
  RootSpec root;
  for (const char* path : {"/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/etc", "/opt"}) {
    if (auto mount = AsOnHost(path, path)) root.mounts.push_back(*std::move(mount));
  }
  root.mounts.push_back({.kind = MountKind::kDev, .target = "/dev"});
  root.mounts.push_back({.kind = MountKind::kProc, .target = "/proc"});
  return root;
}

bool IsShown(const RootSpec& root, const std::string& folder) {
  std::error_code error;
  const std::string named = fs::weakly_canonical(folder, error).string() + "/";
  return std::any_of(root.mounts.begin(), root.mounts.end(), [&named](const Mount& mount) { return mount.kind == MountKind::kBind && named.starts_with(mount.target + "/"); });
}

bool OthersMay(const fs::path& path, fs::perms what) {
  std::error_code error;
  return (fs::status(path, error).permissions() & what) == what;
}

}  // namespace tally
