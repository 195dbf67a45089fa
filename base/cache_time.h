// How long what was read counts as true: a number of seconds, 0 (it is read each time), or, below 0, for ever.
#pragma once

#include <chrono>
#include <cstdint>

#include "base/units.h"

namespace tally {

class CacheTime {
 public:
  constexpr explicit CacheTime(std::int64_t seconds) : seconds_(seconds) {}

  // Both on one monotonic clock.
  [[nodiscard]] constexpr bool Holds(Nanoseconds read_at, Nanoseconds now) const {
    return seconds_ < 0 || now - read_at < std::chrono::seconds(seconds_);
  }

 private:
  std::int64_t seconds_;
};

}  // namespace tally
