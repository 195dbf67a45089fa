// JUnit XML, the report that every test framework can write and the only one that the evaluation understands. The text
// comes out of a process with a solution in it: anything may be wrong with it, and then that is said, once.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "evaluation/eval_response.h"

namespace tally {

struct JUnitReport {
  std::vector<TestSuite> suites;
  std::string fault;  // "" or why it cannot be read
};

JUnitReport ReadJUnit(std::string_view xml);

}  // namespace tally
