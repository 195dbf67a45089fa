// What a moment of a thread's time goes to, and what was used meanwhile.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace tally {

// In the order in which a moment of the whole run is given to one of them (time_sweep.h).
enum class Resource : std::uint8_t {
  kCpu,      // between calls, and in calls that use nothing else
  kFile,
  kNetwork,
  kTally,    // the thread stands while its code is translated, or while a call that names something is read
  kWaiting,  // for another thread, a child, a descriptor, a person at a terminal
  kSleep,
  kStopped,  // SIGSTOP, a frozen cgroup
};
inline constexpr std::size_t kResources = 7;
inline constexpr std::array<std::string_view, kResources> kResourceNames{"cpu", "file", "network", "tally", "waiting", "sleep", "stopped"};
constexpr std::string_view Name(Resource resource) { return kResourceNames[static_cast<std::size_t>(resource)]; }

template <typename T>
struct PerResource : std::array<T, kResources> {
  T& operator[](Resource resource) { return std::array<T, kResources>::operator[](static_cast<std::size_t>(resource)); }
  const T& operator[](Resource resource) const {
    return std::array<T, kResources>::operator[](static_cast<std::size_t>(resource));
  }
};

using TimeConsumption = PerResource<std::uint64_t>;  // nanoseconds

// What calls used: of one resource, thread, file, socket or kind of call.
struct CallUsage {
  std::uint64_t calls = 0;
  std::uint64_t failed = 0;  // of these
  std::uint64_t opens = 0;
  std::uint64_t bytes_read = 0;
  std::uint64_t bytes_written = 0;
  std::uint64_t nanoseconds = 0;  // from call to return, less what was stopped
};

}  // namespace tally
