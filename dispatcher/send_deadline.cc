#include "dispatcher/send_deadline.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "base/error.h"
#include "base/units.h"

namespace tally {
namespace {

// For whoever is not waiting to see it himself.
constexpr Nanoseconds kGrace = std::chrono::seconds(1);

}  // namespace

SendDeadline::SendDeadline(int signals, std::optional<std::chrono::steady_clock::time_point> deadline)
    : signals_(signals), deadline_(deadline), stop_(::eventfd(0, EFD_CLOEXEC)) {
  if (!stop_.valid()) throw SystemError("eventfd", errno);
  thread_ = std::thread([this] { Wait(); });
}

SendDeadline::~SendDeadline() {
  const std::uint64_t one = 1;
  [[maybe_unused]] const ssize_t written = ::write(stop_.get(), &one, sizeof one);
  thread_.join();
}

void SendDeadline::Watch(int connection) {
  const std::lock_guard lock(mutex_);
  connection_ = connection;
  if (is_over_ && connection_ >= 0) ::shutdown(connection_, SHUT_RDWR);
}

void SendDeadline::Wait() {
  pollfd fds[] = {{stop_.get(), POLLIN, 0}, {signals_, POLLIN, 0}};
  const auto wait = [&](nfds_t count, std::optional<Nanoseconds> longest) {
    timespec time{};
    if (longest) time = {longest->count() / 1'000'000'000, longest->count() % 1'000'000'000};
    while (::ppoll(fds, count, longest ? &time : nullptr, nullptr) < 0 && errno == EINTR) continue;
    return fds[0].revents == 0;
  };
  std::optional<Nanoseconds> left;
  if (deadline_) left = std::max<Nanoseconds>(*deadline_ - std::chrono::steady_clock::now(), Nanoseconds(0));
  if (!wait(2, left) || !wait(1, kGrace)) return;
  const std::lock_guard lock(mutex_);
  is_over_ = true;
  if (connection_ >= 0) ::shutdown(connection_, SHUT_RDWR);
}

}  // namespace tally
