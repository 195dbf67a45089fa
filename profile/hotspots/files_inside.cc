#include "profile/hotspots/files_inside.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace tally {

Fd OpenInside(pid_t task, const std::string& path, int flags) {
  const Fd root(::open(fmt::format("/proc/{}/root", task).c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (!root.valid()) return Fd();
  open_how how{};
  how.flags = static_cast<std::uint64_t>(flags) | O_CLOEXEC;
  how.resolve = RESOLVE_IN_ROOT | RESOLVE_NO_MAGICLINKS;
  return Fd(static_cast<int>(::syscall(SYS_openat2, root.get(), path.c_str(), &how, sizeof how)));
}

bool IsReadable(const Fd& file) {
  constexpr off_t kLargest = off_t{1} << 30;
  struct stat status {};
  return file.valid() && ::fstat(file.get(), &status) == 0 && S_ISREG(status.st_mode) && status.st_size <= kLargest;
}

}  // namespace tally
