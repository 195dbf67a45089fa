// One look at the machine. What could not be measured is in it too, with its reason; it is never a 0.
#pragma once

#include <string>
#include <vector>

namespace tally {

struct SeriesName {
  std::string name;      // "cpu_utilization"
  std::string instance;  // "mean", "0"; "" where there is only one
  auto operator<=>(const SeriesName&) const = default;
};

struct Measurement {
  SeriesName series;
  const char* unit;
  double value;
};

struct NotMeasured {
  SeriesName series;
  std::string reason;
};

struct Sample {
  std::vector<Measurement> measured;
  std::vector<NotMeasured> failed;
};

}  // namespace tally
