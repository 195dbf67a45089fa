// When metrics are collected: from the batch asked for, to the last one asked for or for as long as allowed, whichever
// is first, and never again. Pure: the caller says what time it is.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/units.h"
#include "profile/metrics/config.h"

namespace tally {

class Activity {
 public:
  explicit Activity(const MetricsConfig& config)
      : start_on_(config.start_on_batch), end_after_(config.end_after_batch), at_most_(config.at_most) {}

  // A test has been started. With several workers they may be told of out of order; the current batch is the highest.
  void OnBatch(std::uint64_t index, Nanoseconds now) {
    if (!batch_ || index > *batch_) batch_ = index;
    OnTime(now);
    if (over_) return;
    if (end_after_ && *batch_ > *end_after_) {
      End("the last batch asked for is over");
    } else if (!since_ && *batch_ >= start_on_) {
      since_ = now;
    }
  }
  void OnTime(Nanoseconds now) {
    if (IsActive() && ends_at() && now >= *ends_at()) End("the time it may collect for is over");
  }

  [[nodiscard]] bool IsActive() const { return since_ && !over_; }
  // Why it will never be active again.
  [[nodiscard]] const std::optional<std::string>& over() const { return over_; }
  [[nodiscard]] std::uint64_t batch() const { return batch_.value_or(0); }
  [[nodiscard]] std::optional<Nanoseconds> ends_at() const {
    if (!since_ || !at_most_) return std::nullopt;
    return *since_ + *at_most_;
  }

 private:
  void End(const char* why) { over_ = why; }

  std::uint64_t start_on_;
  std::optional<std::uint64_t> end_after_;
  std::optional<Nanoseconds> at_most_;
  std::optional<std::uint64_t> batch_;
  std::optional<Nanoseconds> since_;
  std::optional<std::string> over_;
};

}  // namespace tally
