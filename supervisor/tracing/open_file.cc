#include "supervisor/tracing/open_file.h"

#include <fmt/format.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>

#include "supervisor/resources/proc_status.h"

namespace tally {

Fd OpenFileOf(pid_t tid, std::uint64_t descriptor) {
  const auto process = static_cast<pid_t>(ProcStatusNumber(tid, "Tgid").value_or(0));
  const Fd handle(static_cast<int>(::syscall(SYS_pidfd_open, process, 0)));
  if (!handle.valid()) return {};
  return Fd(static_cast<int>(::syscall(SYS_pidfd_getfd, handle.get(), static_cast<std::uint32_t>(descriptor), 0)));
}

std::string NameOfFile(pid_t tid, std::uint64_t descriptor) {
  std::array<char, 256> name{};
  const ssize_t size = ::readlink(fmt::format("/proc/{}/fd/{}", tid, static_cast<std::uint32_t>(descriptor)).c_str(), name.data(), name.size());
  return size < 0 ? "" : std::string(name.data(), static_cast<std::size_t>(size));
}

}  // namespace tally
