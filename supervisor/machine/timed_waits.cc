#include "supervisor/machine/timed_waits.h"

#include <linux/futex.h>
#include <sys/syscall.h>

#include <algorithm>
#include <cerrno>

#include "supervisor/machine/answers.h"

namespace tally {
namespace {

Nanoseconds KernelNow(clockid_t clock) {
  timespec now{};
  ::clock_gettime(clock, &now);
  return std::chrono::seconds(now.tv_sec) + Nanoseconds(now.tv_nsec);
}

// `asked` by the clock that the program believes to be `kernel_clock`.
TimedWait At(Nanoseconds asked, clockid_t kernel_clock, unsigned argument, const VirtualClock& clock, std::uint64_t count) {
  const Nanoseconds now = kernel_clock == CLOCK_REALTIME ? clock.Date(count) : clock.SinceStart(count);
  const Nanoseconds left = std::max(asked - now, Nanoseconds(0));
  return {clock.SinceStart(count) + left, argument, ToTimespec(KernelNow(kernel_clock) + left)};
}

}  // namespace

std::optional<TimedWait> TimedWaitOf(pid_t tid, const StoppedCall& call, const VirtualClock& clock, std::uint64_t count) {
  const auto& a = call.arguments;
  timespec time{};
  const auto read = [&](std::uint64_t address) -> std::optional<Nanoseconds> {
    if (address == 0 || !ReadValue(tid, address, &time)) return std::nullopt;
    return FromTimespec(time);
  };
  switch (call.number) {
    case SYS_nanosleep: {
      const auto duration = read(a[0]);
      if (!duration) return std::nullopt;
      return TimedWait{clock.SinceStart(count) + *duration, std::nullopt, {}};
    }
    case SYS_clock_nanosleep: {
      const auto clock_id = static_cast<std::int32_t>(a[0]);
      const auto asked = read(a[2]);
      if (!asked || (clock_id != CLOCK_REALTIME && clock_id != CLOCK_MONOTONIC && clock_id != CLOCK_BOOTTIME)) return std::nullopt;
      if ((a[1] & TIMER_ABSTIME) == 0) return TimedWait{clock.SinceStart(count) + *asked, std::nullopt, {}};
      return At(*asked, clock_id, 2, clock, count);
    }
    case SYS_futex: {
      const auto asked = read(a[3]);
      if (!asked || (a[1] & FUTEX_CMD_MASK) != FUTEX_WAIT_BITSET) return std::nullopt;
      return At(*asked, (a[1] & FUTEX_CLOCK_REALTIME) != 0 ? CLOCK_REALTIME : CLOCK_MONOTONIC, 3, clock, count);
    }
    default: return std::nullopt;
  }
}

bool HasPassed(std::uint64_t number, std::int64_t result) { return result == (number == SYS_futex ? -ETIMEDOUT : 0); }

}  // namespace tally
