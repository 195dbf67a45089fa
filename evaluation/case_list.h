// The names of a test program's cases, as it lists them.
#pragma once

#include <string>
#include <vector>

namespace tally {

// A line each. What cannot be a name is left out.
std::vector<std::string> ListedCases(const std::string& text);

}  // namespace tally
