// What an answered system call leaves in the program's memory: 0, or -EFAULT where the program could not write there
// itself.
#pragma once

#include <sys/types.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <ctime>
#include <optional>

#include "base/units.h"
#include "supervisor/tracing/tracee.h"

namespace tally {

template <typename T>
bool ReadValue(pid_t tid, std::uint64_t address, T* value) {
  return ReadTracee(tid, address, value, sizeof *value) == sizeof *value;
}

template <typename T>
std::int64_t WriteAnswer(pid_t tid, std::uint64_t address, const T& value) {
  return TryWriteTracee(tid, address, &value, sizeof value) == sizeof value ? 0 : -EFAULT;
}

template <typename T>
std::int64_t WriteIfAsked(pid_t tid, std::uint64_t address, const T& value) {
  return address == 0 ? 0 : WriteAnswer(tid, address, value);
}

inline constexpr std::int64_t kNanosecondsPerSecond = 1'000'000'000;
// Nothing: that is no time. Durations that no program lives to see are as good as each other.
inline std::optional<Nanoseconds> FromTimespec(const timespec& time) {
  constexpr std::int64_t kManySeconds = 1LL << 32;
  if (time.tv_sec < 0 || time.tv_nsec < 0 || time.tv_nsec >= kNanosecondsPerSecond) return std::nullopt;
  return std::chrono::seconds(std::min<std::int64_t>(time.tv_sec, kManySeconds)) + Nanoseconds(time.tv_nsec);
}
inline timespec ToTimespec(Nanoseconds time) {
  return {time.count() / kNanosecondsPerSecond, time.count() % kNanosecondsPerSecond};
}

}  // namespace tally
