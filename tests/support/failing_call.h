// Runs a command in which one system call fails, as a full or forbidding host would have it: with an errno, and without
// having been executed. What is tested is the executable as it is; the fault comes by ptrace(2) from outside.
//
// Theory of operation. A process of its own (the nanny) starts the command, follows it and all that Tally makes of itself,
// and counts their fallible calls (fallible_calls.h). At the chosen one it takes the call's number away and puts the errno
// in its place; from then on it lets all go. The sandboxed program is none of ours, and Tally traces it itself: the nanny
// lets it go before it says that it is ready. Whoever loses his parent comes to the nanny, so that what is left of the run
// is seen, and ended.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "tests/support/cli_run.h"

namespace tally {

// Which process of ours has the fault: `tally` and the workers that it forks; the sandbox's first process; the program's,
// before it is a program.
enum class FaultIn { kSupervisor, kInit, kProgram };

struct Fault {
  FaultIn in = FaultIn::kSupervisor;
  unsigned number = 0;  // 1 is its first fallible call in main, or since it was made; 0: none
};

struct FaultyRun {
  CliResult result;
  bool came_to_it = false;     // there are as many calls
  std::string call;            // the one that failed
  int error = 0;
  std::vector<pid_t> supervisors;  // `tally` and its workers, which are gone
  bool hung = false;           // it was ended because it took too long
  bool left_processes = false;  // after its end something of it went on
};

FaultyRun RunWithFault(const Words& command, const Fault& fault, const CliOptions& options = {});

}  // namespace tally
