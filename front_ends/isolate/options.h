// The command line of isolate(1), with its names, units and defaults (docs/isolate.md). What it means for a run is in box_run.h.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/units.h"
#include "supervisor/api/run_request.h"

namespace tally::isolate {

enum class Command : std::uint8_t { kInit, kRun, kCleanup, kPrintCgRoot, kVersion, kHelp };

// --dir IN=OUT:FLAGS
struct DirectoryRule {
  std::string inside;   // "/box"
  std::string outside;  // of this machine; "./box" is the box's own folder
  bool writable = false, executable = true, optional = false, devices = false, file_system = false, temporary = false;
};

// --env NAME, --env NAME=VALUE
struct EnvironmentRule {
  std::string name;
  std::optional<std::string> value;  // absent: the caller's; "": the variable is removed
};

struct Options {
  Command command = Command::kHelp;
  std::uint32_t box = 0;
  bool cg = false, wait = false, silent = false, special_files = false;
  int verbose = 0;
  std::string meta;
  std::optional<std::uint32_t> as_user, as_group;

  std::optional<std::string> in, out, error;  // as the program would name them, from /box
  bool error_to_out = false, inherit_descriptors = false, share_network = false, full_environment = false;
  std::string directory;  // "": /box

  std::optional<Nanoseconds> time, wall_time;
  Nanoseconds extra_time{0};
  std::optional<Bytes> memory, cg_memory, stack, file_size;
  std::optional<std::uint32_t> processes = 1;  // absent: as many as it likes
  std::uint32_t open_files = 64;               // 0: as many as it likes
  Counter counter = Counter::kAuto;            // Tally's own: --counter

  std::vector<DirectoryRule> directories;  // the default ones, as they were changed
  std::vector<EnvironmentRule> environment;

  std::vector<std::string> program;  // and its arguments
};

// Reads main's words. UserError: one sentence.
Options ParseOptions(int argc, char** argv);

// For --help.
const char* Help();

}  // namespace tally::isolate
