// Runs a command to which the host gives too little of something, and looks at what is left afterwards.
//
// A process of its own (the nanny) prepares the host as the command is to find it, in namespaces of its own where it must, and
// starts the command, which then takes from itself what it is not to have. Whoever loses his parent comes to the nanny.
#pragma once

#include <sys/types.h>

#include <functional>
#include <string>

#include "tests/support/cli_run.h"

namespace tally {

struct Scarcity {
  std::string name;                            // for people
  std::function<bool()> in_nanny = {};         // false: it cannot be done here
  std::function<bool()> in_command = {};       // the last before execve
};

struct ScarceRun {
  CliResult result;            // status 126: the scarcity could not be made
  pid_t pid = 0;               // of the command, which is gone
  bool hung = false;           // it was ended because it took too long
  bool left_processes = false;
  bool left_mounts = false;    // as the nanny sees them
  std::string left_file;       // in $TMPDIR of options.environment
};

ScarceRun RunWithScarcity(const Words& command, const Scarcity& scarcity, const CliOptions& options);

}  // namespace tally
