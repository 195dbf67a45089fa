#include "base/disk_space.h"

#include <fmt/format.h>
#include <sys/statvfs.h>

#include <cerrno>

#include "base/error.h"

namespace tally {
namespace {

constexpr Bytes kSpare = Bytes::MiB(1);

// Without blocks: memory without a limit.
bool IsBelow(const struct statvfs& disk, Bytes bytes) {
  return disk.f_blocks != 0 && std::uint64_t{disk.f_bavail} * disk.f_frsize < bytes.count;
}

}  // namespace

bool LessIsFree(int fd, Bytes bytes) {
  struct statvfs disk {};
  return ::fstatvfs(fd, &disk) == 0 && IsBelow(disk, bytes);
}

bool LessIsFree(const std::string& path, Bytes bytes) {
  struct statvfs disk {};
  return ::statvfs(path.c_str(), &disk) == 0 && IsBelow(disk, bytes);
}

void RequireSpace(const std::string& folder, Bytes bytes) {
  if (LessIsFree(folder, Bytes{bytes.count + kSpare.count})) {
    throw SystemError(fmt::format("write {} bytes below {}", bytes.count, folder), ENOSPC);
  }
}

}  // namespace tally
