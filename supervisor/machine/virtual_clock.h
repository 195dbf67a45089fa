// The time a counted program finds: instructions at 2 GHz, one in each cycle, and what it slept, which takes no real
// time (sleep_calls.h). A program of several threads sleeps in truth (timed_waits.h).
#pragma once

#include <algorithm>
#include <cstdint>

#include "base/units.h"
#include "supervisor/api/virtual_cpu_options.h"
#include "supervisor/machine/seeded_random.h"

namespace tally {

class VirtualClock {
 public:
  // When the machine was started, and the date of that: 2024-01-01, 00:00:00 UTC.
  static constexpr Nanoseconds kEpoch = std::chrono::seconds(1'704'067'200);

  explicit VirtualClock(const VirtualCpuOptions& options) : told_(options.told_time), seed_(options.seed) {}

  static constexpr Nanoseconds CpuTime(std::uint64_t count) {
    return Nanoseconds(static_cast<std::int64_t>(count / 2));
  }
  [[nodiscard]] Nanoseconds SinceStart(std::uint64_t count) const { return CpuTime(count) + ahead(); }
  [[nodiscard]] Nanoseconds Date(std::uint64_t count) const { return kEpoch + SinceStart(count); }
  // Of the time stamp counter.
  [[nodiscard]] std::uint64_t Ticks(std::uint64_t count) const {
    return count + 2 * static_cast<std::uint64_t>(ahead().count());
  }

  // What the program is told, which may be another time (ToldTime).
  [[nodiscard]] bool TellsTheCount() const { return told_ == ToldTime::kCounted; }
  [[nodiscard]] Nanoseconds Tell(Nanoseconds time, std::uint64_t count) const {
    return TellsTheCount() ? time : Nanoseconds(static_cast<std::int64_t>(Other(count) % static_cast<std::uint64_t>(kLongest.count())));
  }
  [[nodiscard]] std::uint64_t TellTicks(std::uint64_t count) const { return TellsTheCount() ? Ticks(count) : Other(count); }

  void Sleep(Nanoseconds duration) {
    slept_ = std::min(slept_ + std::min(duration, kLongest), kLongest);
    longest_ = std::max(longest_, duration);
  }
  // This moment, since the start, has come while the program waited in truth.
  void PassUntil(Nanoseconds moment, std::uint64_t count) {
    passed_ = std::min(passed_ + std::max(moment - SinceStart(count), Nanoseconds(0)), kLongest);
  }
  // So much has passed in calls that others wait for.
  void Pass(Nanoseconds duration) { passed_ = std::min(passed_ + duration, kLongest); }
  // Of the time since the start, what is not of instructions.
  [[nodiscard]] Nanoseconds ahead() const { return slept_ + passed_; }
  [[nodiscard]] Nanoseconds slept() const { return slept_; }
  [[nodiscard]] Nanoseconds longest_sleep() const { return longest_; }

 private:
  [[nodiscard]] std::uint64_t Other(std::uint64_t count) const {
    return told_ == ToldTime::kZero ? 0 : SeededRandom(seed_ + count, SeededRandom::Stream::kClock).Next();
  }

  static constexpr Nanoseconds kLongest = std::chrono::hours(24 * 365 * 100);  // far from overflow
  Nanoseconds slept_{0};
  Nanoseconds passed_{0};
  Nanoseconds longest_{0};
  ToldTime told_;
  std::uint64_t seed_;
};

}  // namespace tally
