// What of /proc a program does not see: all that tells of this machine and not of processes, but for what runtimes ask for.
//
// Each /proc of a run has these covered, files by /dev/null and directories by an empty tmpfs, and is read-only: a program
// could make its peak memory look smaller through /proc/self/clear_refs. What is listed is what the machine's own /proc
// lists; an entry that is shown must be harmless on every kernel.
#pragma once

#include <string>
#include <vector>

namespace tally {

struct HiddenEntry {
  std::string name;  // "config.gz"
  bool is_directory;
};

// Read once.
const std::vector<HiddenEntry>& HiddenInProc();

}  // namespace tally
