// What one kind of check found: a summary for what holds, and a sentence for each problem, which names its file.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace tally {

struct Section {
  std::string name;     // "inputs"
  std::string summary;  // "7 tests pass validate.py"; what was not looked at says why
  std::vector<std::string> problems;
  std::vector<std::string> advice;  // worth knowing, and no mistake
};

// What is being done now, for people who wait: "inputs: test 3".
using VerifyProgress = std::function<void(const std::string& what)>;

}  // namespace tally
