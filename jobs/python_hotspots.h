// Where the instructions of a Python program go: one more run, with marks (profile/hotspots/python_costs.h).
#pragma once

#include <cstdint>
#include <string>

#include "jobs/hotspot_run.h"

namespace tally {

// As RunForHotspots, of a source; `counted`: its exact instructions on that input. Where the run wrote no costs, why_no_lines says so.
HotspotRun RunForPythonHotspots(const std::string& key, const std::string& source, const ExecInfo& info, ExecOptions options,
                                std::uint64_t counted, int stdin_fd, int stdout_fd);

}  // namespace tally
