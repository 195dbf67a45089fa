// One more run of a program, to see where its instructions go: by function and, where the executable has debug
// information, by line.
#pragma once

#include <optional>
#include <string>

#include "jobs/exec_options.h"
#include "jobs/program.h"
#include "profile/hotspots.h"
#include "supervisor/api/run_result.h"

namespace tally {

struct HotspotRun {
  RunResult run;
  Hotspots hotspots;       // of what was executed, however the run ended
  std::string why_no_lines;  // "" where lines are in it
};

// `path`: an executable. Counted by the translator whatever `options` say; input and output as for Program::Run.
HotspotRun RunForHotspots(const std::string& key, const std::string& path, const ExecInfo& info, ExecOptions options,
                          int stdin_fd, int stdout_fd);

}  // namespace tally
