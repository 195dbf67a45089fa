#include "base/sys.h"

#include <fcntl.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

#include <array>
#include <cerrno>

#include "base/error.h"

namespace tally::sys {
namespace {

[[noreturn]] void Throw(std::string_view call, std::string_view subject) {
  const int error = errno;
  throw SystemError(std::string(call) + " " + std::string(subject), error);
}

}  // namespace

Fd Open(const std::string& path, int flags, mode_t mode) {
  int fd;
  do {
    fd = ::open(path.c_str(), flags | O_CLOEXEC, mode);
  } while (fd < 0 && errno == EINTR);
  if (fd < 0) Throw("open", path);
  return Fd(fd);
}

std::optional<Fd> TryOpen(const std::string& path, int flags) noexcept {
  const int fd = ::open(path.c_str(), flags | O_CLOEXEC);
  if (fd < 0) return std::nullopt;
  return Fd(fd);
}

struct stat Stat(int fd, std::string_view subject) {
  struct stat status {};
  if (::fstat(fd, &status) != 0) Throw("fstat", subject);
  return status;
}

void ReapOwnChildren() {
  struct sigaction action {};
  if (::sigaction(SIGCHLD, nullptr, &action) != 0 || (action.sa_handler != SIG_IGN && (action.sa_flags & SA_NOCLDWAIT) == 0)) return;
  ::signal(SIGCHLD, SIG_DFL);
}

bool IsIgnored(int signal) {
  struct sigaction action {};
  return ::sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}

Pipe MakePipe() {
  std::array<int, 2> fds{};
  if (::pipe2(fds.data(), O_CLOEXEC) != 0) Throw("pipe2", "");
  return {Fd(fds[0]), Fd(fds[1])};
}

Fd Duplicate(int fd) {
  Fd copy(::fcntl(fd, F_DUPFD_CLOEXEC, 0));
  if (!copy.valid()) Throw("fcntl(F_DUPFD_CLOEXEC)", "");
  return copy;
}

Mapping MapFile(int fd, std::string_view subject) {
  const auto size = static_cast<std::size_t>(Stat(fd, subject).st_size);
  if (size == 0) return {};
  void* address = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, fd, 0);
  if (address == MAP_FAILED) Throw("mmap", subject);
  return {address, size};
}

std::string ReadAll(int fd, std::string_view subject, std::size_t most) {
  std::string out;
  std::array<char, 65536> buffer;
  while (out.size() < most) {
    const ssize_t n = ::read(fd, buffer.data(), std::min(buffer.size(), most - out.size()));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) Throw("read", subject);
    if (n == 0) break;
    out.append(buffer.data(), static_cast<std::size_t>(n));
  }
  return out;
}

std::string ReadFile(const std::string& path) { return ReadAll(Open(path, O_RDONLY).get(), path); }

std::optional<std::string> TryReadFile(const std::string& path) {
  const std::optional<Fd> fd = TryOpen(path, O_RDONLY);
  if (!fd) return std::nullopt;
  std::string out;
  std::array<char, 4096> buffer;
  ssize_t n;
  while ((n = ::read(fd->get(), buffer.data(), buffer.size())) > 0) {
    out.append(buffer.data(), static_cast<std::size_t>(n));
  }
  if (n < 0) return std::nullopt;
  return out;
}

bool TryWriteFile(const std::string& path, std::string_view data) noexcept {
  const int fd = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
  if (fd < 0) return false;
  const bool ok = ::write(fd, data.data(), data.size()) == static_cast<ssize_t>(data.size());
  ::close(fd);
  return ok;
}

void WriteAll(int fd, std::string_view data, std::string_view subject) {
  while (!data.empty()) {
    const ssize_t n = ::write(fd, data.data(), data.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) Throw("write", subject);
    data.remove_prefix(static_cast<std::size_t>(n));
  }
}

Nanoseconds MonotonicNow() noexcept {
  timespec now{};
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  return std::chrono::seconds(now.tv_sec) + Nanoseconds(now.tv_nsec);
}

}  // namespace tally::sys
