#include "supervisor/machine/sleep_calls.h"

#include <sys/syscall.h>

#include <algorithm>
#include <cerrno>
#include <ctime>

#include "supervisor/machine/answers.h"
#include "supervisor/machine/timed_waits.h"

namespace tally {
namespace {

constexpr std::int64_t kManySeconds = 1LL << 32;

}  // namespace

std::optional<std::int64_t> SleepCalls::Answer(pid_t tid, const StoppedCall& call, std::uint64_t count) {
  switch (call.number) {
    case SYS_nanosleep: return For(tid, call.arguments[0]);
    case SYS_clock_nanosleep: return ByClock(tid, call, count);
    case SYS_futex: return OnFutex(tid, call, count);
    default: return ForNothing(tid, call);
  }
}

// To the limit that is passed first.
void SleepCalls::Sleep(Nanoseconds duration) {
  constexpr Nanoseconds kPast = Milliseconds(1);
  const Nanoseconds left = wall_limit_ ? *wall_limit_ - clock_->slept() : Nanoseconds::max();
  if (idle_limit_ && duration >= *idle_limit_ && *idle_limit_ <= left) {
    too_long_ = true;
    duration = *idle_limit_;
  } else if (duration > left) {
    too_long_ = true;
    duration = left + kPast;
  }
  clock_->Sleep(duration);
}

std::int64_t SleepCalls::For(pid_t tid, std::uint64_t timespec_at) {
  timespec asked{};
  if (!ReadValue(tid, timespec_at, &asked)) return -EFAULT;
  const std::optional<Nanoseconds> duration = FromTimespec(asked);
  if (!duration) return -EINVAL;
  Sleep(*duration);
  return 0;
}

// Clocks that are slept by (kernel/time/posix-timers.c). By a CPU clock a program that sleeps waits for ever: that it
// may do in truth.
std::optional<std::int64_t> SleepCalls::ByClock(pid_t tid, const StoppedCall& call, std::uint64_t count) {
  Nanoseconds now{0};
  switch (static_cast<std::int32_t>(call.arguments[0])) {
    case CLOCK_REALTIME: case CLOCK_TAI: now = clock_->Date(count); break;
    case CLOCK_MONOTONIC: case CLOCK_BOOTTIME: now = clock_->SinceStart(count); break;
    default: return std::nullopt;
  }
  if ((call.arguments[1] & TIMER_ABSTIME) == 0) return For(tid, call.arguments[2]);
  timespec asked{};
  if (!ReadValue(tid, call.arguments[2], &asked)) return -EFAULT;
  const std::optional<Nanoseconds> until = FromTimespec(asked);
  if (!until) return -EINVAL;
  if (*until > now) Sleep(*until - now);
  return 0;
}

// A wait for another thread, of which there is none: until its end, unless the word has changed already.
std::optional<std::int64_t> SleepCalls::OnFutex(pid_t tid, const StoppedCall& call, std::uint64_t count) {
  const std::optional<TimedWait> wait = TimedWaitOf(tid, call, *clock_, count);
  std::uint32_t word = 0;
  if (!wait || !ReadValue(tid, call.arguments[0], &word)) return std::nullopt;
  if (word != static_cast<std::uint32_t>(call.arguments[2])) return -EAGAIN;
  Sleep(wait->until - clock_->SinceStart(count));
  return -ETIMEDOUT;
}

// poll and select without descriptors. They leave 0 in the time that was asked for, where they can.
std::optional<std::int64_t> SleepCalls::ForNothing(pid_t tid, const StoppedCall& call) {
  const auto& a = call.arguments;
  if (call.number == SYS_poll) {
    const auto milliseconds = static_cast<std::int32_t>(a[2]);
    if (milliseconds < 0) return std::nullopt;  // for ever: in truth
    Sleep(Milliseconds(milliseconds));
    return 0;
  }
  const std::uint64_t time_at = call.number == SYS_ppoll ? a[2] : a[4];
  const std::uint64_t mask_at = call.number == SYS_ppoll ? a[3] : call.number == SYS_pselect6 ? a[5] : 0;
  if (time_at == 0 || mask_at != 0) return std::nullopt;  // for ever, or for a signal
  timespec asked{};
  if (!ReadValue(tid, time_at, &asked)) return -EFAULT;
  if (call.number == SYS_select) {  // a timeval, whose microseconds may be any number
    asked.tv_sec = std::min<std::int64_t>(asked.tv_sec, kManySeconds) + asked.tv_nsec / 1'000'000;
    asked.tv_nsec = asked.tv_nsec % 1'000'000 * 1000;
  }
  const std::optional<Nanoseconds> duration = FromTimespec(asked);
  if (!duration) return -EINVAL;
  Sleep(*duration);
  WriteAnswer(tid, time_at, timespec{});
  return 0;
}

}  // namespace tally
