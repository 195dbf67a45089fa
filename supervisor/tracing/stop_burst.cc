#include "supervisor/tracing/stop_burst.h"

#include <sys/wait.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <ctime>

#include "base/sys.h"

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
    siginfo_t info{};
    if (::waitid(P_PID, static_cast<id_t>(tid_), &info, WSTOPPED | WNOHANG | __WALL) != 0) return std::nullopt;
    if (info.si_pid == tid_) {
      if (may_join_ && !together_) together_.emplace(tid_);
      return WaitStatus::FromStop(info.si_status);
    }
    if (!signalled || IsLong()) return std::nullopt;
  }
}

// A tick may come right after the task was let go on; only the second says that there was no stop for a while.
std::optional<WaitStatus> StopBurst::NextByTick() {
  for (int ticks = 0;;) {
    siginfo_t info{};
    if (::waitid(P_PID, static_cast<id_t>(tid_), &info, WSTOPPED | __WALL) == 0) return WaitStatus::FromStop(info.si_status);
    if (errno != EINTR || ++ticks == 2 || IsLong()) return std::nullopt;
  }
}

bool StopBurst::IsLong() const { return sys::MonotonicNow() >= end_; }

}  // namespace tally
