// One more run of a program, to see what its threads did and when (docs/timeline.md), in real time.
#pragma once

#include <string>

#include "jobs/exec_options.h"
#include "jobs/program.h"
#include "supervisor/api/run_result.h"

namespace tally {

struct TimelineRun {
  RunResult run;
  std::string json;  // `tally-timeline`, with all its events
};

TimelineRun RunForTimeline(const std::string& key, const std::string& path, const ExecInfo& info, ExecOptions options,
                           int stdin_fd, int stdout_fd);

}  // namespace tally
