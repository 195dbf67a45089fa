// An EvalRequest from files on this machine: `tally submit --stack cpp-catch2 --solution sum.cpp --tests tests/`.
#pragma once

#include <string>
#include <vector>

#include "base/units.h"

namespace tally {

struct RequestParts {
  std::string stack;
  std::vector<std::string> solution, tests, include;  // files and folders
  std::string root;                                   // that paths are relative to (request_files.h)
  bool compile = false, test = false, style = false;  // neither of the first two: both, as far as there are tests; only style where there are none
  std::vector<std::string> params;                    // "KEY=VALUE"
};

// As JSON. UserError names the file or option at fault.
std::string BuildRequest(const RequestParts& parts, Bytes most);

}  // namespace tally
