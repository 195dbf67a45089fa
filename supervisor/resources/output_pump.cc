#include "supervisor/resources/output_pump.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "base/sys.h"

namespace tally {
namespace {

// A pipe that polls writable takes this much without blocking (pipe(7), PIPE_BUF), so a slow reader can never
// hold up the supervisor's clock.
constexpr std::size_t kChunk = 4096;

bool Writable(int fd) {
  pollfd target{fd, POLLOUT, 0};
  return ::poll(&target, 1, 0) > 0;
}

}  // namespace

OutputPump::OutputPump(int target, std::optional<Bytes> limit) : target_(target), limit_(limit) {
  sys::Pipe pipe = sys::MakePipe();
  source_ = std::move(pipe.read_end);
  program_end_ = std::move(pipe.write_end);
  ::fcntl(source_.get(), F_SETFL, O_NONBLOCK);
}

void OutputPump::AddTo(std::vector<pollfd>* fds) const {
  if (!open_ || over_limit()) return;
  if (target_full_) {
    fds->push_back({target_, POLLOUT, 0});
  } else {
    fds->push_back({source_.get(), POLLIN, 0});
  }
}

bool OutputPump::Move() {
  const Bytes before = moved_;
  const bool was_full = target_full_;
  while (open_ && !over_limit()) {
    target_full_ = !Writable(target_);
    if (target_full_ || !MoveSome()) break;
  }
  return moved_ != before || target_full_ != was_full;
}

bool OutputPump::MoveSome() {
  // A copy rather than splice: terminals and files opened for appending take no splice.
  std::array<char, kChunk> buffer;
  std::size_t wanted = buffer.size();
  if (limit_) wanted = static_cast<std::size_t>(std::min<std::uint64_t>(wanted, limit_->count + 1 - moved_.count));
  const ssize_t n = ::read(source_.get(), buffer.data(), wanted);
  if (n < 0) return false;  // EAGAIN
  if (n == 0) {
    open_ = false;
    return false;
  }
  moved_.count += static_cast<std::uint64_t>(n);
  // The byte that proves the limit was passed is not passed on.
  const std::size_t keep = static_cast<std::size_t>(n) - (over_limit() ? 1 : 0);
  for (std::size_t done = 0; done < keep;) {
    const ssize_t written = ::write(target_, buffer.data() + done, keep - done);
    if (written < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (written < 0) {  // our reader is gone: so is the program's
      open_ = false;
      source_.Reset();
      return false;
    }
    done += static_cast<std::size_t>(written);
  }
  return true;
}

void OutputPump::Drain() {
  program_end_.Reset();
  while (open_ && !over_limit() && MoveSome()) {
  }
}

}  // namespace tally
