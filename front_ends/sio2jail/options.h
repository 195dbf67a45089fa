// The options of sio2jail, with its names, units and defaults (docs/sio2jail.md). What it means for a run is in request.h.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/units.h"

namespace tally::sio2jail {

// A mistake of the user's that sio2jail finds after it has read the options, and ends with 2 for.
class InvalidConfiguration : public UserError {
 public:
  using UserError::UserError;
};

// What the report is written in, and which time is in it.
enum class Format : std::uint8_t { kOitt, kOiaug, kOiuser, kOireal, kHuman };

enum class Policy : std::uint8_t { kDefault, kPermissive };

// Which time the program's clocks tell.
enum class FakeTime : std::uint8_t { kOff, kRandom, kZero };

// --bind OUTSIDE:INSIDE[:ro|rw[,dev]]
struct BindOption {
  std::string outside, inside;
  bool writable = false, devices = false;
};

struct Options {
  std::string log;  // a file, "-" for stderr, "" for none
  int results_fd = 2;
  std::string work_dir;
  bool pass_stderr = false;
  Format format = Format::kOitt;

  std::optional<Bytes> memory, output;
  std::optional<Instructions> instructions;
  std::optional<Nanoseconds> real_time, user_time, system_time, cpu_time;
  int threads = -1;  // beside the first; -1: none, and a new one is a forbidden call

  Policy policy = Policy::kDefault;
  FakeTime fake_time = FakeTime::kOff;
  std::vector<BindOption> binds;
  bool default_binds = true;
  bool perf = true;
  bool mounts = true;        // a root of the run's own; off: the program sees this machine's files
  bool namespaces = true;    // any of the others is wanted
  bool proc = false;

  std::vector<std::string> command;
};

// Reads main's words. `status` is set, and what was asked for printed, where they ask for help or the version alone.
// UserError: one sentence that names the option.
Options ParseOptions(int argc, const char* const* argv, std::optional<int>* status);

}  // namespace tally::sio2jail
