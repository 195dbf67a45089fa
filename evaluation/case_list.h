// The names of a test program's cases, as it lists them. A solution may have a say in them (a test's parameters), so none
// is left out for its length, and that there are too many is told: what is not there cannot fail.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace tally {

struct CaseNames {
  std::vector<std::string> names;  // at most 10,000
  std::size_t left_out = 0;
};

// A line each; an empty one is no name.
CaseNames ListedCases(const std::string& text);

// At most 1024 bytes: of a longer name its beginning, and a number that another one does not have.
std::string ShortName(const std::string& name);

}  // namespace tally
