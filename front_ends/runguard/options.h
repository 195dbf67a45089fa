// The command line of DOMjudge's runguard, with its units (docs/runguard.md). What it means for a run is in request.h and view.h.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/units.h"

namespace tally::runguard {

// A program that is past the first is told of, at the second it is killed.
struct TimeLimits {
  Nanoseconds soft{0}, hard{0};
};

struct Options {
  bool help = false, version = false, verbose = false, quiet = false;
  std::string root, directory;  // "": this machine's, and where the caller is
  std::optional<TimeLimits> wall_time, cpu_time;
  bool reports_wall_time = false;  // of the two the one that was named last
  std::optional<Bytes> memory, file_size, stream_size;
  std::optional<std::uint32_t> processes;
  std::vector<unsigned> processors;  // none: any
  std::string out, error, meta;
  bool full_environment = false;
  std::vector<std::string> environment;  // NAME=VALUE
  int runpipe = -1;                      // a process
  std::vector<std::string> command;
};

// Reads main's words. UserError: one sentence; `options->meta` is read by then if it stands before the mistake.
void ParseOptions(int argc, char** argv, Options* options);

const char* Help();

}  // namespace tally::runguard
