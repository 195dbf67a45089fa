// The series' last run: one that is observed, to see where the instructions went, at the largest size for which there is time.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "jobs/exec_options.h"
#include "jobs/series_programs.h"
#include "profile/report.h"

namespace tally {

// A size at which the program ran to its end.
struct ObservableSize {
  std::uint64_t n = 0;
  std::string input;                   // path
  std::optional<Nanoseconds> counting_took;  // real time; absent: it was not counted
  std::uint64_t instructions = 0;            // where it was
};

struct HotspotSearch {
  std::vector<ObservableSize> sizes;  // the largest first
  ExecOptions options;
  Nanoseconds budget{0};  // real time of all attempts together
  std::string source;     // what the program's owner calls its source
  std::function<void(std::uint64_t n)> begins;
};

// Sets the report's hotspots, their size and why it is not the largest one, or why there are none.
void FindHotspots(const SeriesProgram& program, const HotspotSearch& search, ProfileReport* report);

}  // namespace tally
