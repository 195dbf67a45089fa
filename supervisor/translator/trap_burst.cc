#include "supervisor/translator/trap_burst.h"

#include <sys/wait.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <ctime>

#include "base/sys.h"

namespace tally {
namespace {
constexpr Nanoseconds kPatience = std::chrono::milliseconds(2);  // without a trap
constexpr int kFew = 4;  // stops that are not worth a timer of their own
constexpr Nanoseconds kShortest = std::chrono::microseconds(50);  // between two ticks
constexpr Nanoseconds kLong = std::chrono::milliseconds(20);
}  // namespace

TrapBurst::TrapBurst(pid_t tid, bool together, Nanoseconds return_by)
    : tid_(tid), end_(std::min(sys::MonotonicNow() + kLong, return_by)), may_join_(together) {}

// The task is stopped.
void TrapBurst::Join() {
  may_join_ = false;
  const int cpu = ::sched_getcpu();
  if (cpu < 0 || ::sched_getaffinity(0, sizeof ours_, &ours_) != 0) return;
  if (::sched_getaffinity(tid_, sizeof theirs_, &theirs_) != 0 || !CPU_ISSET(cpu, &theirs_)) return;
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(cpu, &one);
  joined_ = ::sched_setaffinity(0, sizeof one, &one) == 0;
  if (joined_) ::sched_setaffinity(tid_, sizeof one, &one);
}

TrapBurst::~TrapBurst() {
  if (!joined_) return;
  ::sched_setaffinity(tid_, sizeof theirs_, &theirs_);
  ::sched_setaffinity(0, sizeof ours_, &ours_);
}

std::optional<WaitStatus> TrapBurst::Next() {
  if (tick_) return NextByTick();
  const std::optional<WaitStatus> stop = First();
  if (!stop || ++stops_ < kFew) return stop;
  const Nanoseconds left = end_ - sys::MonotonicNow();
  if (left > Nanoseconds(0)) tick_.emplace(std::max(left / (left / kPatience + 1), kShortest));  // one at the end
  return stop;
}

std::optional<WaitStatus> TrapBurst::First() {
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
      if (may_join_) Join();
      return WaitStatus::FromStop(info.si_status);
    }
    if (!signalled || IsLong()) return std::nullopt;
  }
}

// A tick may come right after the task was let go on; only the second says that there was no trap for a while.
std::optional<WaitStatus> TrapBurst::NextByTick() {
  for (int ticks = 0;;) {
    siginfo_t info{};
    if (::waitid(P_PID, static_cast<id_t>(tid_), &info, WSTOPPED | __WALL) == 0) return WaitStatus::FromStop(info.si_status);
    if (errno != EINTR || ++ticks == 2 || IsLong()) return std::nullopt;
  }
}

bool TrapBurst::IsLong() const { return sys::MonotonicNow() >= end_; }

}  // namespace tally
