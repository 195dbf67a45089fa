// `tally run --schedule-seed A..B`: the same program and input under many schedules (docs/virtual-cpu.md, Turns), and what came of each.
// A program without races has one outcome; of another each is told with a seed that shows it again.
#pragma once

#include <cstdint>
#include <string>

#include "base/json_output.h"
#include "cli/prepared_run.h"

namespace tally {

struct ScheduleSeeds {
  std::uint64_t first = 0, last = 0;
  [[nodiscard]] bool IsRange() const { return first != last; }
};

// "7" or "1..1000". UserError names `option`.
ScheduleSeeds ParseScheduleSeeds(const char* option, const std::string& text);

// Runs all of them, each with the same input from its beginning, and prints the outcomes. What the program writes to
// stderr nobody sees.
void ExploreSchedules(PreparedRun* run, ScheduleSeeds seeds, const JsonOutput& json);

}  // namespace tally
