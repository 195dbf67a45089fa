#include "supervisor/tracing/stop_burst.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <ctime>

#include "base/sys.h"
#include "supervisor/tracing/waits.h"

namespace tally {
namespace {
constexpr int kFew = 4;  // stops that are not worth a timer of their own
constexpr Nanoseconds kShortest = std::chrono::microseconds(50);  // between two ticks
constexpr Nanoseconds kLong = std::chrono::milliseconds(20);
}  // namespace

StopBurst::StopBurst(pid_t tid, bool together, Nanoseconds return_by)
    : tid_(tid), end_(std::min(sys::MonotonicNow() + kLong, return_by)), may_join_(together) {}

std::optional<WaitStatus> StopBurst::Next() {
  if (tick_) return NextByTick();
  const std::optional<WaitStatus> stop = First();
  if (!stop || ++stops_ < kFew) return stop;
  const Nanoseconds left = end_ - sys::MonotonicNow();
  if (left > Nanoseconds(0)) tick_.emplace(std::max(left / (left / kPatience + 1), kShortest));  // one at the end
  if (tick_ && !tick_->is_ticking()) tick_.reset();
  return stop;
}

std::optional<WaitStatus> StopBurst::First() {
  sigset_t child;
  sigemptyset(&child);
  sigaddset(&child, SIGCHLD);
  for (;;) {
    const Nanoseconds longest = std::clamp(end_ - sys::MonotonicNow(), Nanoseconds(0), kPatience);
    const timespec patience{0, longest.count()};
    const bool signalled = ::sigtimedwait(&child, nullptr, &patience) == SIGCHLD;
    const auto [is_ours, stop] = waits::TakeStop(tid_);
    if (!is_ours) return std::nullopt;
    if (stop) {
      if (may_join_ && !together_) together_.emplace(tid_);
      return stop;
    }
    if (!signalled || IsLong()) return std::nullopt;
  }
}

// A tick may come right after the task was let go on; only the second says that there was no stop for a while.
std::optional<WaitStatus> StopBurst::NextByTick() {
  for (int ticks = 0;;) {
    if (const auto stop = waits::AwaitAndTakeStop(tid_)) return stop;
    if (errno != EINTR || ++ticks == 2 || IsLong()) return std::nullopt;
  }
}

bool StopBurst::IsLong() const { return sys::MonotonicNow() >= end_; }

}  // namespace tally
