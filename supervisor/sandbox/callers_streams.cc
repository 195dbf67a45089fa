#include "supervisor/sandbox/callers_streams.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/mount.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <string>

#include "base/error.h"
#include "base/sys.h"

namespace tally {
namespace {

std::string LinkOf(int fd) { return fmt::format("/proc/self/fd/{}", fd); }

// A mount of one file alone, which is attached nowhere and goes with the last descriptor.
Fd MountAlone(const char* path, std::uint64_t attributes) {
  Fd tree(::open_tree(AT_FDCWD, path, OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC));
  if (!tree.valid()) return Fd();
  mount_attr set{};
  set.attr_set = attributes;
  return ::mount_setattr(tree.get(), "", AT_EMPTY_PATH, &set, sizeof set) == 0 ? std::move(tree) : Fd();
}

Fd OpenThroughMount(int fd, const struct stat& original) {
  std::array<char, 4096> path{};
  const ssize_t length = ::readlink(LinkOf(fd).c_str(), path.data(), path.size() - 1);
  if (length <= 0) return Fd();
  const Fd tree = MountAlone(path.data(), MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV);
  if (!tree.valid()) return Fd();
  Fd file(::open(LinkOf(tree.get()).c_str(), O_RDONLY | O_CLOEXEC));
  struct stat opened {};
  const bool is_same = file.valid() && ::fstat(file.get(), &opened) == 0 && opened.st_dev == original.st_dev && opened.st_ino == original.st_ino;
  return is_same ? std::move(file) : Fd();
}

Fd CopyIntoMemory(int fd, off_t size) {
  const Fd memory(::memfd_create("input", MFD_CLOEXEC | MFD_ALLOW_SEALING));
  if (!memory.valid()) throw SystemError("memfd_create for the program's input", errno);
  for (off_t at = 0; at < size;) {
    const ssize_t n = ::sendfile(memory.get(), fd, &at, static_cast<std::size_t>(size - at));
    if (n < 0) throw SystemError("copy the program's input", errno);
    if (n == 0) break;
  }
  if (::fcntl(memory.get(), F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_GROW | F_SEAL_SHRINK | F_SEAL_SEAL) != 0) {
    throw SystemError("seal the program's input", errno);
  }
  return sys::Open(LinkOf(memory.get()), O_RDONLY);
}

}  // namespace

Fd ReadOnlyInput(int fd) {
  struct stat status {};
  if (::fstat(fd, &status) != 0 || !S_ISREG(status.st_mode)) return Fd();
  Fd input = OpenThroughMount(fd, status);
  if (!input.valid()) input = CopyIntoMemory(fd, status.st_size);
  const off_t at = ::lseek(fd, 0, SEEK_CUR);
  if (at < 0 || ::lseek(input.get(), at, SEEK_SET) != at) throw SystemError("seek in the program's input", errno);
  return input;
}

Fd OpenNull() {
  static const Fd mount = MountAlone("/dev/null", MOUNT_ATTR_RDONLY);
  Fd null(mount.valid() ? ::open(LinkOf(mount.get()).c_str(), O_RDWR | O_CLOEXEC) : -1);
  return null.valid() ? std::move(null) : sys::Open("/dev/null", O_RDWR);
}

CallersStream::CallersStream(int fd)
    : fd_(fd), flags_(fd < 0 ? -1 : ::fcntl(fd, F_GETFL)), pipe_size_(fd < 0 ? -1 : ::fcntl(fd, F_GETPIPE_SZ)) {}

CallersStream::~CallersStream() {
  if (flags_ >= 0 && ::fcntl(fd_, F_GETFL) != flags_) ::fcntl(fd_, F_SETFL, flags_);
  if (pipe_size_ >= 0 && ::fcntl(fd_, F_GETPIPE_SZ) != pipe_size_) ::fcntl(fd_, F_SETPIPE_SZ, pipe_size_);
}

}  // namespace tally
