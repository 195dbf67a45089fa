// One more run of a program, to see what its threads did and when (docs/timeline.md), in real time.
#pragma once

#include <cstddef>
#include <string>

#include "jobs/exec_options.h"
#include "jobs/program.h"
#include "supervisor/api/run_result.h"

namespace tally {

// A browser draws these at once. What others there were is counted.
inline constexpr std::size_t kMostTimelineEvents = 20'000;

struct TimelineRun {
  RunResult run;
  std::string json;  // `tally-timeline`, with its longest events
};

TimelineRun RunForTimeline(const std::string& key, const std::string& path, const ExecInfo& info, ExecOptions options,
                           int stdin_fd, int stdout_fd);

}  // namespace tally
