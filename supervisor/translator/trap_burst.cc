#include "supervisor/translator/trap_burst.h"

#include <sys/wait.h>

#include <algorithm>
#include <csignal>
#include <ctime>

#include "base/sys.h"

namespace tally {
namespace {
constexpr Nanoseconds kPatience = std::chrono::milliseconds(2);  // without a trap
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

bool TrapBurst::IsLong() const { return sys::MonotonicNow() >= end_; }

}  // namespace tally
