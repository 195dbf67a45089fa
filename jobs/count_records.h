// Records of counts: programs whose instructions were counted once, kept to see that another machine, another kernel
// or another Tally counts the same.
//
// A file of records has one on each line: the environ of a vcpu-exec job with what it gave (docs/virtual-cpu.md),
// and the sums of its files and of the archive of its sandbox, if it has one, so that a changed file is not taken for a changed
// count.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "jobs/environ.h"

namespace tally {

struct CountRequest {
  std::string program;
  std::vector<std::string> arguments;
  std::string input;  // "": empty stdin
  Environ options;    // keys of vcpu-exec
};

// Runs it and appends its record to `file`; paths are kept relative to the folder of that. UserError where the count
// would vary, with the reason: then there is nothing to record.
void RecordCount(const std::string& file, const CountRequest& request);

// Runs what a line of `file` records. One sentence for each difference.
std::vector<std::string> VerifyCount(const std::string& file, const Environ& record);

// UserError names file and line.
std::vector<Environ> ReadCountRecords(const std::string& file);

}  // namespace tally
