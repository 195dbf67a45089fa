// How much of a run's time went to what. Each thread is in one state at a time; for the run as a whole each moment
// counts once, for the first of the states, in the order of Resource, that any thread is in. So the parts sum up to the
// whole, to the nanosecond.
#pragma once

#include <cstdint>

#include "profile/timeline/resource.h"

namespace tally {

class TimeSweep {
 public:
  void Enter(std::uint64_t now, Resource state) {
    Advance(now);
    ++threads_[state];
  }
  void Leave(std::uint64_t now, Resource state) {
    Advance(now);
    --threads_[state];
  }
  // Up to `now`, which never goes back.
  void Advance(std::uint64_t now);
  [[nodiscard]] const TimeConsumption& parts() const { return parts_; }

 private:
  std::uint64_t now_ = 0;
  PerResource<std::uint64_t> threads_{};
  TimeConsumption parts_{};
};

}  // namespace tally
