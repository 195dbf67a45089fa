#include "front_ends/runguard/pump.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "base/error.h"
#include "base/sys.h"

namespace tally::runguard {
namespace {

constexpr int kPipeBytes = 1 << 20;

// False at the end of the stream, or where nobody reads any more: then the program is to learn that, too.
bool PassOn(int from, int to, std::optional<Bytes> most, StreamCount* count) {
  static std::array<char, 1 << 16> block;
  const ssize_t n = ::read(from, block.data(), block.size());
  if (n < 0) return errno == EINTR;
  if (n == 0) return false;
  const auto size = static_cast<std::uint64_t>(n);
  count->read += size;
  std::uint64_t left = count->error != 0 ? 0 : most ? std::min(size, most->count - count->passed) : size;
  for (const char* at = block.data(); left > 0;) {
    const ssize_t written = ::write(to, at, left);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0 && errno == EPIPE) return false;
    if (written < 0) {
      count->error = errno;
      break;
    }
    at += written;
    left -= static_cast<std::uint64_t>(written);
    count->passed += static_cast<std::uint64_t>(written);
  }
  return true;
}

[[noreturn]] void PumpAll(std::array<int, 2> from, std::array<int, 2> to, std::optional<Bytes> most, int result) {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGXFSZ}) ::signal(signal, SIG_IGN);
  std::array<StreamCount, 2> counts{};
  std::array<pollfd, 2> open{pollfd{from[0], POLLIN, 0}, pollfd{from[1], POLLIN, 0}};
  while (open[0].fd >= 0 || open[1].fd >= 0) {
    if (::poll(open.data(), open.size(), -1) < 0 && errno != EINTR) break;
    for (std::size_t i = 0; i < open.size(); ++i) {
      if (open[i].fd < 0 || open[i].revents == 0 || PassOn(from[i], to[i], most, &counts[i])) continue;
      ::close(from[i]);
      open[i].fd = -1;
    }
  }
  const ssize_t written = ::write(result, counts.data(), sizeof counts);
  ::_exit(written == sizeof counts ? 0 : 1);
}

}  // namespace

Pump::Pump(int out, int error, std::optional<Bytes> most) {
  std::array<Fd, 2> from;
  for (std::size_t i = 0; i < ends_.size(); ++i) {
    sys::Pipe pipe = sys::MakePipe();
    ::fcntl(pipe.write_end.get(), F_SETPIPE_SZ, kPipeBytes);  // fewer turns; a smaller one does as well
    from[i] = std::move(pipe.read_end);
    ends_[i] = std::move(pipe.write_end);
  }
  sys::Pipe result = sys::MakePipe();
  process_ = ::fork();
  if (process_ < 0) throw SystemError("fork", errno);
  if (process_ == 0) {
    for (const Fd& end : ends_) ::close(end.get());
    PumpAll({from[0].get(), from[1].get()}, {out, error}, most, result.write_end.get());
  }
  counts_ = std::move(result.read_end);
}

Pump::~Pump() {
  if (process_ < 0) return;
  for (Fd& end : ends_) end = Fd();
  ::waitpid(process_, nullptr, 0);
}

std::array<StreamCount, 2> Pump::Finish() {
  for (Fd& end : ends_) end = Fd();
  std::array<StreamCount, 2> counts{};
  ssize_t n = -1;
  while ((n = ::read(counts_.get(), counts.data(), sizeof counts)) < 0 && errno == EINTR) {
  }
  ::waitpid(process_, nullptr, 0);
  process_ = -1;
  if (n != sizeof counts) throw SystemError("read what was counted of the streams", n < 0 ? errno : EPIPE);
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (counts[i].error != 0) throw SystemError(i == 0 ? "write the program's stdout" : "write the program's stderr", counts[i].error);
  }
  return counts;
}

}  // namespace tally::runguard
